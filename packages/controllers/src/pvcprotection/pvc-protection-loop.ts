import { Controller } from '@binnacle/client/controller';
import { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import {
  claimNames,
  isPodTerminal,
  type OwnerContext,
  planProtection,
  podClaimIndexes,
  podsNaming,
  protect,
  reconcileOwner,
} from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { FINALIZER, usesClaim } from './plan.js';

export const createPvcProtectionLoop: CreateLoop = (context) =>
  new Controller({
    name: 'pvcprotection',
    for: PersistentVolumeClaim,
    predicate: ({ object }) => planProtection(object, FINALIZER) !== undefined,
    watches: [
      {
        resource: Pod,
        // A pod that runs keeps its claims.
        predicate: ({ type, object }) =>
          type === 'delete' || isPodTerminal(object) || object.spec?.nodeName === undefined,
        map: (pod: Pod) => claimNames(pod).map((name) => ({ namespace: pod.metadata.namespace, name })),
      },
    ],
    reads: [{ resource: Pod, indexes: podClaimIndexes }],
    reconcile: reconcileOwner(
      { resource: PersistentVolumeClaim, writes: [], informers: context.informers },
      (claim, owner) =>
        protect(
          claim,
          { resource: PersistentVolumeClaim, finalizer: FINALIZER, isUsed: (each) => isUsed(each, owner) },
          owner.writer,
        ),
    ),
  }).bind(context);

/** The cache may not show a pod yet, so the server has the last word before the claim goes. */
async function isUsed(claim: PersistentVolumeClaim, { indexer, client, signal }: OwnerContext): Promise<boolean> {
  const { namespace = '', name = '' } = claim.metadata;
  if (podsNaming(indexer(Pod), namespace, name).some((pod) => usesClaim(pod, claim))) return true;
  const { items } = await client.resource(Pod).namespace(namespace).list({ signal });
  return items.some((pod) => usesClaim(pod, claim));
}
