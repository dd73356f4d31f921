import type { DaemonSet } from '@binnacle/client/kinds/apps/v1';
import type { Affinity, Pod } from '@binnacle/client/kinds/core/v1';
import { isPodTerminal, podFromTemplate, timeOf } from '../common/index.js';
import { daemonTolerations } from './tolerations.js';

export const HASH = 'controller-revision-hash';
const GENERATION = 'pod-template-generation';

/** The pod to create for a node. Its affinity makes the scheduler bind it there. */
export function newPod(set: DaemonSet, node: string, hash: string): Pod {
  const { metadata, spec, ...pod } = podFromTemplate(set.spec?.template, set);
  const generation = templateGeneration(set);
  const labels = {
    ...metadata.labels,
    ...(generation === undefined ? {} : { [GENERATION]: generation }),
    ...(hash === '' ? {} : { [HASH]: hash }),
  };
  const affinity = onNode(spec?.affinity, node);
  const tolerations = daemonTolerations(spec ?? {});
  return { ...pod, metadata: { ...metadata, labels }, spec: { containers: [], ...spec, affinity, tolerations } };
}

function onNode(affinity: Affinity | undefined, node: string): Affinity {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }] as const;
  const requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms: [{ matchFields }] };
  return { ...affinity, nodeAffinity: { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution } };
}

/** The node that a pod is on, or is for; undefined if it is for none in particular. */
export function targetNode({ spec }: Pod): string | undefined {
  if ((spec?.nodeName ?? '') !== '') return spec?.nodeName;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const field = required?.nodeSelectorTerms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator }) => key === 'metadata.name' && operator === 'In');
  return field?.values?.length === 1 ? field.values[0] : undefined;
}

/** The set's pods by node, without those that have ended and are being deleted. */
export function podsByNode(pods: readonly Pod[]): Map<string, Pod[]> {
  const byNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    const node = targetNode(pod);
    if (node === undefined || (isPodTerminal(pod) && isDeleted(pod))) continue;
    const present = byNode.get(node);
    if (present === undefined) byNode.set(node, [pod]);
    else present.push(pod);
  }
  return byNode;
}

export function isDeleted({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Whether the pod is of the latest template: by its hash, or by the number that older versions wrote. */
export function isUpdated(set: DaemonSet, { metadata: { labels = {} } }: Pod, hash: string): boolean {
  const generation = templateGeneration(set);
  return (hash !== '' && labels[HASH] === hash) || (generation !== undefined && labels[GENERATION] === generation);
}

/** Pods with a node first, then the oldest. */
export function oldestFirst(pods: readonly Pod[]): Pod[] {
  return pods.toSorted(
    (one, other) =>
      Number(isScheduled(other)) - Number(isScheduled(one)) ||
      createdAt(one) - createdAt(other) ||
      ((one.metadata.name ?? '') < (other.metadata.name ?? '') ? -1 : 1),
  );
}

export function isScheduled({ spec }: Pod): boolean {
  return (spec?.nodeName ?? '') !== '';
}

function createdAt({ metadata }: Pod): number {
  return timeOf(metadata.creationTimestamp) ?? 0;
}

function templateGeneration({ metadata }: DaemonSet): string | undefined {
  const text = metadata.annotations?.['deprecated.daemonset.template.generation'] ?? '';
  return /^[+-]?\d+$/.test(text) ? String(BigInt(text.replace('+', ''))) : undefined;
}
