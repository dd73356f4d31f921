import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '@binnacle/client/kinds/core/v1';
import { hasLabels } from '../common/index.js';

/** Whether selector and required affinity of a pod permit the node. Upstream: `nodeaffinity.GetRequiredNodeAffinity`. */
export function fitsAffinity({ nodeSelector, affinity }: Partial<PodSpec>, node: Node): boolean {
  if (!hasLabels(node.metadata.labels, nodeSelector)) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || required.nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

/** A term without requirements matches no node. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, { metadata }: Node): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const { labels = {}, name = '' } = metadata;
  return (
    matchExpressions.every((requirement) => matches(requirement, labels)) &&
    matchFields.every((requirement) => matches(requirement, { 'metadata.name': name }))
  );
}

function matches(
  { key, operator, values = [] }: NodeSelectorRequirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
    case 'Lt':
      return isBeyond(operator, value, values[0]);
  }
}

/** False unless both are integers. */
function isBeyond(operator: 'Gt' | 'Lt', value: string | undefined, bound: string | undefined): boolean {
  const integer = /^[+-]?\d+$/;
  if (value === undefined || bound === undefined || !integer.test(value) || !integer.test(bound)) return false;
  const [left, right] = [BigInt(value.replace('+', '')), BigInt(bound.replace('+', ''))];
  return operator === 'Gt' ? left > right : left < right;
}
