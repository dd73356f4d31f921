import type { Pod } from '@binnacle/client/kinds/core/v1';

/** What a simulated pod answers to a request, such as `GET /`. It says what would have answered. */
export function simulatedAnswer(
  { metadata: { name = '', namespace = '' }, spec }: Pod,
  port: number,
  request: string,
): string {
  const images = (spec?.containers ?? []).map(({ image = '' }) => image).join(', ');
  return `${request}\nPod ${namespace}/${name}, port ${port}, is simulated: Binnacle runs no program of ${images}\n`;
}
