import type { JsonObject } from '@binnacle/apimachinery/json';
import type { ControllerRevision, DaemonSet } from '@binnacle/client/kinds/apps/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import {
  controllerReference,
  expiredRevisions,
  hasData,
  nextRevision,
  revisionData,
  sortRevisions,
  templateHash,
} from '../common/index.js';
import { HASH } from './daemon-pods.js';

/** Where the template of a set is in its history. */
export interface HistoryPlan {
  /** The revision of the template; undefined if it must be created. */
  readonly current: ControllerRevision | undefined;
  /** Others of the same template, which an earlier controller has left. */
  readonly duplicates: readonly ControllerRevision[];
  readonly old: readonly ControllerRevision[];
  /** The number that the current revision has or gets. */
  readonly number: number;
}

export function planHistory(set: DaemonSet, revisions: readonly ControllerRevision[]): HistoryPlan {
  const data = dataOf(set);
  const sorted = sortRevisions(revisions);
  const same = sorted.filter((revision) => hasData(revision, data));
  const old = sorted.filter((revision) => !same.includes(revision));
  const current = same.at(-1);
  const number = Math.max(nextRevision(old), current?.revision ?? 0);
  return { current, duplicates: same.slice(0, -1), old, number };
}

export function hashOf({ metadata }: ControllerRevision): string {
  return metadata.labels?.[HASH] ?? '';
}

/** The revision with a hash label. Its name takes the place of the hash, so that no two are the same. */
export function withHash(revision: ControllerRevision): ControllerRevision {
  const { metadata } = revision;
  return { ...revision, metadata: { ...metadata, labels: { ...metadata.labels, [HASH]: metadata.name ?? '' } } };
}

export function newRevision(set: DaemonSet, number: number): ControllerRevision & { readonly data: JsonObject } {
  const { name = '', namespace = '', annotations } = set.metadata;
  const hash = templateHash(set.spec?.template ?? {}, set.status?.collisionCount);
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels: { ...set.spec?.template.metadata?.labels, [HASH]: hash },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(set)],
    },
    data: dataOf(set),
    revision: number,
  };
}

/** The old revisions beyond the limit that no pod has. Those that pods have count, and stay. */
export function revisionsToDelete(
  set: DaemonSet,
  old: readonly ControllerRevision[],
  pods: readonly Pod[],
): ControllerRevision[] {
  const live = new Set(pods.map(({ metadata }) => metadata.labels?.[HASH]));
  return expiredRevisions(
    old,
    (revision) => live.has(hashOf(revision)),
    old.length - (set.spec?.revisionHistoryLimit ?? 10),
  );
}

function dataOf({ spec }: DaemonSet): JsonObject {
  return revisionData(spec?.template ?? {});
}
