import { Controller } from '@binnacle/client/controller';
import { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { isNotFound } from '@binnacle/client/rest';
import { isPodTerminal, type OwnerContext, reconcileOwner } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { claimNames, FINALIZER, planProtection, usesClaim } from './plan.js';

const BY_CLAIM = 'claim';

/** The claims that a pod names, as `namespace/name`. */
const podIndexes = {
  [BY_CLAIM]: (pod: Pod) => claimNames(pod).map((name) => `${pod.metadata.namespace ?? ''}/${name}`),
};

export const createPvcProtectionLoop: CreateLoop = (context) =>
  new Controller({
    name: 'pvcprotection',
    for: PersistentVolumeClaim,
    predicate: ({ object }) => planProtection(object) !== undefined,
    watches: [
      {
        resource: Pod,
        // A pod that runs keeps its claims.
        predicate: ({ type, object }) =>
          type === 'delete' || isPodTerminal(object) || object.spec?.nodeName === undefined,
        map: (pod: Pod) => claimNames(pod).map((name) => ({ namespace: pod.metadata.namespace, name })),
      },
    ],
    reads: [{ resource: Pod, indexes: podIndexes }],
    reconcile: reconcileOwner({ resource: PersistentVolumeClaim, writes: [], informers: context.informers }, protect),
  }).bind(context);

async function protect(claim: PersistentVolumeClaim, context: OwnerContext): Promise<void> {
  const plan = planProtection(claim);
  const finalizers = claim.metadata.finalizers ?? [];
  if (plan === 'add') return update(claim, [...finalizers, FINALIZER], context);
  if (plan === undefined || (await isUsed(claim, context))) return;
  await update(
    claim,
    finalizers.filter((each) => each !== FINALIZER),
    context,
  );
}

/** The cache may not show a pod yet, so the server has the last word before the claim goes. */
async function isUsed(claim: PersistentVolumeClaim, { indexer, client, signal }: OwnerContext): Promise<boolean> {
  const { namespace = '', name = '' } = claim.metadata;
  const cached = indexer(Pod).byIndex(BY_CLAIM, `${namespace}/${name}`);
  if (cached.some((pod) => usesClaim(pod, claim))) return true;
  const { items } = await client.resource(Pod).namespace(namespace).list({ signal });
  return items.some((pod) => usesClaim(pod, claim));
}

async function update(
  claim: PersistentVolumeClaim,
  finalizers: readonly string[],
  { writer }: OwnerContext,
): Promise<void> {
  try {
    await writer.update(PersistentVolumeClaim, {
      ...claim,
      metadata: { ...claim.metadata, finalizers: [...finalizers] },
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
