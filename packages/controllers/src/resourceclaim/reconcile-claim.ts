import { controllerOf } from '@binnacle/client/controller';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { ResourceClaim, type ResourceClaimConsumerReference } from '@binnacle/client/kinds/resource/v1';
import { type OwnerContext, unlessGone } from '../common/index.js';
import type { DeletedPods } from './deleted-pods.js';
import { planClaim, withoutFinalizer } from './plan-claim.js';
import { isPodDone } from './pod-resource-claims.js';

/** Takes reservations back from pods that are done, frees the devices after the last, and deletes claims made for such pods. */
export async function reconcileClaim(claim: ResourceClaim, context: OwnerContext, deleted: DeletedPods): Promise<void> {
  const { writer } = context;
  const remaining: ResourceClaimConsumerReference[] = [];
  for (const consumer of claim.status?.reservedFor ?? []) {
    if (await mayNeed(consumer, claim, context, deleted)) remaining.push(consumer);
  }
  const plan = planClaim(claim, remaining);
  const written = plan.status === undefined ? claim : await writer.updateStatus(ResourceClaim, plan.status);
  if (plan.removesFinalizer) await writer.update(ResourceClaim, withoutFinalizer(written));
  if (plan.isFree && claim.metadata.deletionTimestamp === undefined && (await isOwnerDone(claim, context))) {
    await writer.delete(ResourceClaim, claim);
  }
}

/** Consumers that are not pods stay, since the loop knows nothing of them. */
async function mayNeed(
  { apiGroup = '', resource, name, uid }: ResourceClaimConsumerReference,
  { metadata: { namespace } }: ResourceClaim,
  context: OwnerContext,
  deleted: DeletedPods,
): Promise<boolean> {
  if (apiGroup !== '' || resource !== 'pods') return true;
  if (deleted.has(uid)) return false;
  const pod = await findPod({ namespace, name, uid }, context);
  return pod !== undefined && !isPodDone(pod);
}

/** Whether the claim was made for a pod that no longer needs it. The garbage collector deletes it if the pod is gone. */
async function isOwnerDone(claim: ResourceClaim, context: OwnerContext): Promise<boolean> {
  const owner = controllerOf(claim);
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Pod') return false;
  const { namespace } = claim.metadata;
  const cached = context
    .lister(Pod)
    .namespace(namespace ?? '')
    .get(owner.name);
  if (cached === undefined) return false;
  const pod = await findPod({ namespace, name: owner.name, uid: owner.uid }, context);
  return pod === undefined || isPodDone(pod);
}

interface PodName {
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string;
}

/** The server has the last word on a pod that the cache lacks or has with another uid: the scheduler may have reserved the claim just now. */
async function findPod({ namespace = '', name, uid }: PodName, context: OwnerContext): Promise<Pod | undefined> {
  const { lister, client, signal } = context;
  const cached = lister(Pod).namespace(namespace).get(name);
  if (cached?.metadata.uid === uid) return cached;
  const pod = await unlessGone(client.resource(Pod).namespace(namespace).get(name, { signal }));
  return pod?.metadata.uid === uid ? pod : undefined;
}
