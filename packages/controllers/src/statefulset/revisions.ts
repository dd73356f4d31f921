import type { JsonObject } from '@binnacle/apimachinery/json';
import type { ControllerRevision, StatefulSet } from '@binnacle/client/kinds/apps/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import {
  controllerReference,
  expiredRevisions,
  hasData,
  nextRevision,
  restores,
  revisionData,
  revisionHash,
  revisionName,
  revisionText,
} from '../common/index.js';
import { revisionOf } from './identity.js';

const HASH = 'controller.kubernetes.io/hash';

/** Where the state of the set is in its history. */
export type RevisionPlan =
  | { readonly type: 'keep'; readonly revision: ControllerRevision }
  /** The state is that of an older revision, which becomes the latest. */
  | { readonly type: 'renumber'; readonly revision: ControllerRevision }
  | { readonly type: 'create'; readonly number: number };

/** `revisions`: from the oldest to the latest. */
export function planRevision(set: StatefulSet, revisions: readonly ControllerRevision[]): RevisionPlan {
  const data = dataOf(set);
  const latest = revisions.at(-1);
  const equal = revisions.findLast((revision) => hasData(revision, data));
  const number = nextRevision(revisions);
  if (latest !== undefined && (equal === latest || (equal === undefined && restores(latest, data)))) {
    return { type: 'keep', revision: latest };
  }
  if (equal !== undefined) return { type: 'renumber', revision: { ...equal, revision: number } };
  return { type: 'create', number };
}

/** The revision that the set's state becomes. A collision changes its name, and not its hash label. */
export function newRevision(
  set: StatefulSet,
  number: number,
  collisionCount: number,
): ControllerRevision & { readonly data: JsonObject } {
  const { name = '', namespace = '', annotations } = set.metadata;
  const data = dataOf(set);
  const text = revisionText(data);
  const hash = revisionHash(text, set.status?.collisionCount ?? 0);
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: revisionName(name, revisionHash(text, collisionCount)),
      namespace,
      labels: { ...set.spec?.template.metadata?.labels, [HASH]: hash },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(set)],
    },
    data,
    revision: number,
  };
}

/** The revisions beyond the limit that neither the status nor a pod names. `live`: the names of the current and the update revision. */
export function revisionsToDelete(
  set: StatefulSet,
  revisions: readonly ControllerRevision[],
  pods: readonly Pod[],
  live: readonly string[],
): ControllerRevision[] {
  const limit = set.spec?.revisionHistoryLimit ?? 10;
  const names = new Set([...live, ...pods.map(revisionOf)]);
  const isLive = ({ metadata }: ControllerRevision) => names.has(metadata.name ?? '');
  const dead = revisions.filter((revision) => !isLive(revision));
  return limit < 0 ? [] : expiredRevisions(dead, isLive, dead.length - limit);
}

function dataOf({ spec }: StatefulSet): JsonObject {
  return revisionData(spec?.template ?? {});
}
