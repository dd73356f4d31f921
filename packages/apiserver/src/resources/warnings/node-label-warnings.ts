import type { NodeSelectorTerm } from '@binnacle/api/types/core-v1';
import { validateLabelValue } from '@binnacle/apimachinery/validation';

/** Renamed node labels. Upstream: kubernetes `pkg/api/node`. */
const deprecatedLabels: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Warnings for the keys of a node selector, such as a pod's `spec.nodeSelector`. */
export function nodeSelectorWarnings(selector: Readonly<Record<string, string>> | undefined, field: string): string[] {
  return Object.keys(selector ?? {}).flatMap((key) => {
    const text = deprecatedLabels.get(key);
    return text === undefined ? [] : [`${field}[${key}]: ${text}`];
  });
}

/** Warnings for one node label key. */
export function nodeLabelWarnings(key: string, field: string): string[] {
  const text = deprecatedLabels.get(key);
  return text === undefined ? [] : [`${field}: ${key} is ${text}`];
}

/** Warnings for a term of node affinity: deprecated keys, and invalid label values. */
export function nodeTermWarnings(term: NodeSelectorTerm | undefined, field: string): string[] {
  return (term?.matchExpressions ?? []).flatMap(({ key, values = [] }, index) => {
    const path = `${field}.matchExpressions[${index}]`;
    const impossible = values.flatMap((value, at) =>
      validateLabelValue(value).map((text) => `${path}.values[${at}]: ${value} is invalid, ${text}`),
    );
    return [...nodeLabelWarnings(key, `${path}.key`), ...impossible];
  });
}
