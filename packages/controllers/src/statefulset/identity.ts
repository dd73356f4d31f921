import type { StatefulSet } from '@binnacle/client/kinds/apps/v1';
import type { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';

const POD_NAME = 'statefulset.kubernetes.io/pod-name';
const POD_INDEX = 'apps.kubernetes.io/pod-index';
const REVISION = 'controller-revision-hash';

/** Ordinals are 32-bit integers in Go. */
const MAX_ORDINAL = 2 ** 31 - 1;

export interface Identity {
  /** The name of the set whose pod this would be. */
  readonly parent: string;
  /** -1 if the name has none. */
  readonly ordinal: number;
}

/** The identity that the name of a pod says. Upstream: `getParentNameAndOrdinal`. */
export function identityOf({ metadata }: Pod): Identity {
  const [, parent = '', digits = ''] = /^(.*)-([0-9]+)$/.exec(metadata.name ?? '') ?? [];
  const ordinal = digits === '' ? -1 : Number(digits);
  return { parent, ordinal: ordinal > MAX_ORDINAL ? -1 : ordinal };
}

export function isMember({ metadata }: StatefulSet, pod: Pod): boolean {
  return identityOf(pod).parent === metadata.name;
}

/** The set's first ordinal. */
export function startOf({ spec }: StatefulSet): number {
  return spec?.ordinals?.start ?? 0;
}

export function wantedReplicas({ spec }: StatefulSet): number {
  return spec?.replicas ?? 1;
}

/** One more than the set's last ordinal. */
export function endOf(set: StatefulSet): number {
  return Math.min(startOf(set) + wantedReplicas(set), MAX_ORDINAL + 1);
}

export function isInRange(set: StatefulSet, ordinal: number): boolean {
  return ordinal >= startOf(set) && ordinal < endOf(set);
}

export function podName({ metadata }: StatefulSet, ordinal: number): string {
  return `${metadata.name ?? ''}-${ordinal}`;
}

export function claimName(
  { metadata }: StatefulSet,
  template: { readonly metadata: PersistentVolumeClaim['metadata'] },
  ordinal: number,
): string {
  return `${template.metadata.name ?? ''}-${metadata.name ?? ''}-${ordinal}`;
}

/** The name of the revision that the pod was made from. */
export function revisionOf({ metadata }: Pod): string {
  return metadata.labels?.[REVISION] ?? '';
}

export function withRevision(pod: Pod, revision: string): Pod {
  return withLabels(pod, { [REVISION]: revision });
}

/** Whether name and labels are those of a member of the set. */
export function hasIdentity(set: StatefulSet, pod: Pod): boolean {
  const { name = '', labels } = pod.metadata;
  const { parent, ordinal } = identityOf(pod);
  return ordinal >= 0 && parent === set.metadata.name && name === podName(set, ordinal) && labels?.[POD_NAME] === name;
}

/** The pod with the name and labels of its ordinal. */
export function withIdentity(set: StatefulSet, pod: Pod): Pod {
  const { ordinal } = identityOf(pod);
  const name = podName(set, ordinal);
  const labelled = withLabels(pod, { [POD_NAME]: name, [POD_INDEX]: String(ordinal) });
  return { ...labelled, metadata: { ...labelled.metadata, name } };
}

function withLabels(pod: Pod, labels: Readonly<Record<string, string>>): Pod {
  return { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...labels } } };
}
