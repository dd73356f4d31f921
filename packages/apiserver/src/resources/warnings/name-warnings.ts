import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { validateDns1123Label } from '@binnacle/apimachinery/validation';

/** On create, warns if the name is not a DNS label, because its pods inherit the name. */
export function podNameWarnings(object: KubernetesObject, old: KubernetesObject | undefined): string[] {
  const messages = old === undefined ? validateDns1123Label(object.metadata.name ?? '') : [];
  if (messages.length === 0) return [];
  const what =
    'this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended';
  return [`metadata.name: ${what}: [${messages.join(' ')}]`];
}
