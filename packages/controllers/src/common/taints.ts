import type { Taint, Toleration } from '@binnacle/client/kinds/core/v1';

/** Whether the toleration permits the taint. Upstream: `ToleratesTaint`. */
export function tolerates(toleration: Toleration, { key, value = '', effect }: Taint): boolean {
  if ((toleration.effect ?? effect) !== effect) return false;
  if ((toleration.key ?? '') !== '' && toleration.key !== key) return false;
  const { operator = 'Equal' } = toleration;
  return operator === 'Exists' || (operator === 'Equal' && (toleration.value ?? '') === value);
}

/** Whether one of the tolerations permits the taint. */
export function isTolerated(taint: Taint, tolerations: readonly Toleration[]): boolean {
  return tolerations.some((toleration) => tolerates(toleration, taint));
}
