import type { Node } from '@binnacle/client/kinds/core/v1';

/** Labels, and the deprecated ones that repeat them. */
const repeated = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const;

/** The deprecated labels that a node lacks or that differ; undefined if there are none. */
export function labelsToRepeat({ metadata }: Node): Readonly<Record<string, string>> | undefined {
  const { labels = {} } = metadata;
  const missing: Record<string, string> = {};
  for (const [label, deprecated] of repeated) {
    const value = labels[label];
    if (value !== undefined && labels[deprecated] !== value) missing[deprecated] = value;
  }
  return Object.keys(missing).length === 0 ? undefined : missing;
}
