import type { ControllerRevision } from '@binnacle/client/kinds/apps/v1';
import { timeOf } from '../pods/index.js';

/** From the oldest to the latest. Upstream: `history.SortControllerRevisions`. */
export function sortRevisions(revisions: readonly ControllerRevision[]): ControllerRevision[] {
  return revisions.toSorted(
    (one, other) =>
      one.revision - other.revision || createdAt(one) - createdAt(other) || (nameOf(one) < nameOf(other) ? -1 : 1),
  );
}

/** The number of a revision that follows these. */
export function nextRevision(revisions: readonly ControllerRevision[]): number {
  return 1 + revisions.reduce((latest, { revision }) => Math.max(latest, revision), 0);
}

/** The `count` oldest of the revisions that no pod needs. */
export function expiredRevisions(
  revisions: readonly ControllerRevision[],
  isLive: (revision: ControllerRevision) => boolean,
  count: number,
): ControllerRevision[] {
  if (count <= 0) return [];
  return sortRevisions(revisions.filter((revision) => !isLive(revision))).slice(0, count);
}

function createdAt({ metadata }: ControllerRevision): number {
  return timeOf(metadata.creationTimestamp) ?? 0;
}

function nameOf({ metadata }: ControllerRevision): string {
  return metadata.name ?? '';
}
