import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import type { TypedObject } from '@binnacle/client/typed';
import { isOf } from '../history/index.js';
import type { Invariant } from './invariant.js';

/** Within this time after an owner or a node is gone, what depended on it is being deleted. Milliseconds. */
const GRACE = 15 * 60_000;

/** Dependents whose controller is gone are deleted, unless they have lost the reference. */
export function ownerReferences(): Invariant {
  const gone = new Map<string, number>();
  return {
    name: 'owner-references',
    check: (state, { type, object, at }) => {
      const { uid = '' } = object.metadata;
      if (type === 'delete' && state.dependents(uid).length > 0) gone.set(uid, at);
      for (const [owner, since] of gone) {
        if (at - since <= GRACE) break;
        gone.delete(owner);
        const left = state.dependents(owner).find(isKept);
        if (left !== undefined)
          return `${nameOf(left)} is still there ${GRACE / 60_000} minutes after its controller is gone`;
      }
      return undefined;
    },
  };
}

/** Pods of a node that is gone are deleted. */
export function podsOfNodes(): Invariant {
  const gone = new Map<string, number>();
  return {
    name: 'pods-of-nodes',
    check: (_, { type, object, at }) => {
      if (!isOf(Node, object)) return undefined;
      if (type === 'delete') gone.set(object.metadata.name ?? '', at);
      else gone.delete(object.metadata.name ?? '');
      return undefined;
    },
    checkEnd: (state) => {
      for (const pod of state.list(Pod)) {
        const since = gone.get(pod.spec?.nodeName ?? '');
        if (since === undefined || state.now - since <= GRACE || !isKept(pod)) continue;
        return `${nameOf(pod)} is on node ${pod.spec?.nodeName ?? ''}, which is gone for ${GRACE / 60_000} minutes`;
      }
      return undefined;
    },
  };
}

function isKept({ metadata }: TypedObject): boolean {
  return metadata.deletionTimestamp === undefined;
}

function nameOf({ kind, metadata: { namespace = '', name = '' } }: TypedObject): string {
  return `${kind} ${namespace}/${name}`;
}
