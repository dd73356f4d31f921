import type { Deployment, ReplicaSet } from '@binnacle/client/kinds/apps/v1';

/** The number of a rollout, on its ReplicaSet and on the Deployment. */
export const REVISION = 'deployment.kubernetes.io/revision';
/** Earlier revisions of a ReplicaSet that a rollback has used again. */
const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
/** `spec.replicas` of the Deployment when it last scaled the ReplicaSet. */
const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
/** The same with surge. */
const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';
/** A revision to roll back to, from a field of former API versions. */
const ROLLBACK_TO = 'deprecated.deployment.rollback.to';

/** Annotations that a Deployment and its ReplicaSets do not share. */
const ownAnnotations: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  ROLLBACK_TO,
]);

const MAX_HISTORY_LENGTH = 2000;
/** The largest count in the API. */
export const MAX_INT32 = 2 ** 31 - 1;

export type Annotations = Readonly<Record<string, string>>;

/** 0 without the annotation; undefined if it is not a 64-bit integer. */
export function revisionOf({ metadata }: ReplicaSet): bigint | undefined {
  return integerOf(metadata.annotations?.[REVISION] ?? '0');
}

/** The revision after all of these. */
export function nextRevision(sets: readonly ReplicaSet[]): bigint {
  const revisions = sets.map((set) => revisionOf(set) ?? 0n);
  const max = revisions.reduce((max, revision) => (revision > max ? revision : max), 0n);
  return BigInt.asIntN(64, max + 1n);
}

/** The second highest revision; 0 if there is none. */
export function lastRevision(sets: readonly ReplicaSet[]): bigint {
  const revisions = sets.map(revisionOf).filter((revision) => revision !== undefined);
  return revisions.toSorted((one, other) => (one === other ? 0 : one < other ? 1 : -1))[1] ?? 0n;
}

/** The revision to roll back to, 0 for the previous one; undefined without a valid request. */
export function rollbackRequest({ metadata }: Deployment): bigint | undefined {
  return integerOf(metadata.annotations?.[ROLLBACK_TO] ?? '');
}

export function desiredReplicas({ metadata }: ReplicaSet): number | undefined {
  return countOf(metadata.annotations?.[DESIRED_REPLICAS]);
}

export function maxReplicas({ metadata }: ReplicaSet): number | undefined {
  return countOf(metadata.annotations?.[MAX_REPLICAS]);
}

/**
 * The annotations of the ReplicaSet of the current template: those of the Deployment, and its revision, which is higher than that of all others. A
 * ReplicaSet of an earlier rollout keeps its former revisions as history.
 */
export function newSetAnnotations(deployment: Deployment, present: Annotations, revision: bigint): Annotations {
  const shared = { ...present, ...withoutOwn(deployment.metadata.annotations ?? {}) };
  const before = present[REVISION];
  const last = before === undefined || before === '' ? 0n : integerOf(before);
  if (last === undefined || last >= revision) return shared;
  const history =
    before === undefined ? present[REVISION_HISTORY] : longerHistory(present[REVISION_HISTORY] ?? '', before);
  return {
    ...shared,
    [REVISION]: String(revision),
    ...(history === undefined ? {} : { [REVISION_HISTORY]: history }),
  };
}

/** The Deployment's size as a ReplicaSet records it. A difference shows that the Deployment was scaled. */
export function sizeAnnotations(desired: number, surge: number): Annotations {
  return { [DESIRED_REPLICAS]: String(desired), [MAX_REPLICAS]: String(Math.min(desired + surge, MAX_INT32)) };
}

/** The annotations of a Deployment that is rolled back to the ReplicaSet, without the request. */
export function rolledBackAnnotations({ metadata }: Deployment, target: ReplicaSet | undefined): Annotations {
  const present = { ...metadata.annotations };
  delete present[ROLLBACK_TO];
  if (target === undefined) return present;
  const own = Object.entries(present).filter(([key]) => ownAnnotations.has(key));
  return { ...Object.fromEntries(own), ...withoutOwn(target.metadata.annotations ?? {}) };
}

function withoutOwn(annotations: Annotations): Annotations {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !ownAnnotations.has(key)));
}

/** Drops the oldest revisions beyond the limit. The latest one stays. */
function longerHistory(history: string, revision: string): string {
  if (history === '') return revision;
  const text = `${history},${revision}`;
  if (text.length <= MAX_HISTORY_LENGTH) return text;
  const comma = text.indexOf(',', text.length - MAX_HISTORY_LENGTH - 1);
  return comma < 0 ? revision : text.slice(comma + 1);
}

function integerOf(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,20}$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function countOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,10}$/.test(text)) return undefined;
  return Number(text) > MAX_INT32 ? undefined : Number(text);
}
