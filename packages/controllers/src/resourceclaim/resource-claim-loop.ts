import { Controller, type ReconcileRequest, runTogether } from '@binnacle/client/controller';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { ResourceClaim, ResourceClaimTemplate } from '@binnacle/client/kinds/resource/v1';
import { controllerIndexes, reconcileOwner } from '../common/index.js';
import type { CreateLoop, LoopContext } from '../loop/index.js';
import { DeletedPods } from './deleted-pods.js';
import { claimNamesOf, isPodDone } from './pod-resource-claims.js';
import { reconcileClaim } from './reconcile-claim.js';
import { reconcilePod } from './reconcile-pod.js';

const BY_CLAIM = 'resourceclaim';
const BY_TEMPLATE = 'resourceclaimtemplate';

const keyOf = (namespace = '', name = '') => `${namespace}/${name}`;

const podIndexes = {
  [BY_CLAIM]: (pod: Pod) => claimNamesOf(pod).map((name) => keyOf(pod.metadata.namespace, name)),
  [BY_TEMPLATE]: ({ metadata, spec }: Pod) =>
    (spec?.resourceClaims ?? []).flatMap(({ resourceClaimTemplateName: name }) =>
      name === undefined ? [] : [keyOf(metadata.namespace, name)],
    ),
};

const WORKERS = 10;

/** Two queues: of pods, which get claims, and of claims, which pods let go. */
export const createResourceClaimLoop: CreateLoop = (context) => {
  const deleted = new DeletedPods();
  const loops = [claimsOfPods(context), reservationsOfClaims(context, deleted)];
  return { run: (signal) => runTogether(loops, signal) };
};

function claimsOfPods(context: LoopContext) {
  const { informers, events } = context;
  const recorder = events.recorder({ component: 'resource_claim' });
  const podsBy = (index: string, { metadata: { namespace, name } }: ResourceClaim | ResourceClaimTemplate) =>
    informers
      .informer(Pod)
      .indexer.byIndex(index, keyOf(namespace, name))
      .map(({ metadata }): ReconcileRequest => ({ namespace: metadata.namespace, name: metadata.name ?? '' }));
  return new Controller({
    name: 'resource_claim',
    for: Pod,
    predicate: ({ type, object }) => type !== 'delete' && (object.spec?.resourceClaims ?? []).length > 0,
    watches: [
      { resource: ResourceClaim, map: (claim: ResourceClaim) => podsBy(BY_CLAIM, claim) },
      {
        resource: ResourceClaimTemplate,
        predicate: ({ type }) => type !== 'delete',
        map: (template: ResourceClaimTemplate) => podsBy(BY_TEMPLATE, template),
      },
    ],
    reads: [
      { resource: Pod, indexes: podIndexes },
      { resource: ResourceClaim, indexes: controllerIndexes },
    ],
    concurrency: WORKERS,
    reconcile: reconcileOwner({ resource: Pod, writes: [ResourceClaim], informers }, (pod, owner) =>
      reconcilePod(pod, owner, recorder),
    ),
  }).bind(context);
}

function reservationsOfClaims(context: LoopContext, deleted: DeletedPods) {
  return new Controller({
    name: 'resource_claim_reservations',
    for: ResourceClaim,
    watches: [
      {
        resource: Pod,
        predicate: ({ type, object }) => {
          if (type === 'delete' && claimNamesOf(object).length > 0) deleted.add(object.metadata.uid ?? '');
          return type === 'delete' || isPodDone(object);
        },
        map: (pod: Pod): ReconcileRequest[] =>
          claimNamesOf(pod).map((name) => ({ namespace: pod.metadata.namespace, name })),
      },
    ],
    concurrency: WORKERS,
    reconcile: reconcileOwner({ resource: ResourceClaim, writes: [], informers: context.informers }, (claim, owner) =>
      reconcileClaim(claim, owner, deleted),
    ),
  }).bind(context);
}
