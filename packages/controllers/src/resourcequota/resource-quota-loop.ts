import { finishInTurns } from '@binnacle/apimachinery/turns';
import { Controller, type Predicate, type ReconcileRequest, type ReconcileResult } from '@binnacle/client/controller';
import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { ResourceQuota } from '@binnacle/client/kinds/core/v1';
import type { TypedObject } from '@binnacle/client/typed';
import { type OwnerContext, reconcileOwner, unlessGone } from '../common/index.js';
import type { CreateLoop, LoopContext } from '../loop/index.js';
import { CountedKinds, PERIOD_MILLISECONDS, specialKinds } from './counted-kinds.js';
import { changesUsage, type CountedKind, type CountedObjects, countedResources, limits, planQuota } from './plan.js';

/** Upstream: `--concurrent-resource-quota-syncs`. */
const CONCURRENCY = 5;
/** All quotas are counted again, since admission charges writes that fail later. Upstream: `--resource-quota-sync-period`. */
const RESYNC_MILLISECONDS = 300_000;

/** Usage changes by events of other kinds, and by admission. */
const limitsChanged: Predicate<ResourceQuota> = (change) =>
  change.type !== 'update' || !deepEqual(asJson(change.before.spec ?? {}), asJson(change.object.spec ?? {}));

/** Upstream: kubernetes `pkg/controller/resourcequota`. */
export const createResourceQuotaLoop: CreateLoop = (context) => ({
  async run(signal) {
    let enqueue: (request: ReconcileRequest) => void = () => undefined;
    using kinds = new CountedKinds(context, (kind, before, after) => {
      for (const request of affectedQuotas(context, kind, before, after)) enqueue(request);
    });
    const controller = new Controller({
      name: 'resourcequota_primary',
      for: ResourceQuota,
      predicate: limitsChanged,
      concurrency: CONCURRENCY,
      reconcile: reconcileOwner(
        { resource: ResourceQuota, writes: [], informers: context.informers },
        (quota, owner) => {
          ({ enqueue } = owner);
          return count(quota, kinds, owner);
        },
      ),
    }).bind(context);
    await controller.run(signal);
  },
});

/** The quotas of the namespace whose usage changes. */
function affectedQuotas(
  { informers, clock }: LoopContext,
  kind: CountedKind,
  before: TypedObject,
  after: TypedObject | undefined,
): ReconcileRequest[] {
  const { namespace = '' } = before.metadata;
  return informers
    .informer(ResourceQuota)
    .lister.namespace(namespace)
    .list()
    .filter((quota) => limits(quota, kind))
    .filter((quota) => after === undefined || changesUsage(quota, kind, before, after, clock.now()))
    .map(({ metadata: { name = '' } }) => ({ namespace, name }));
}

async function count(
  quota: ResourceQuota,
  kinds: CountedKinds,
  { writer, clock, signal }: OwnerContext,
): Promise<ReconcileResult> {
  const { namespace = '' } = quota.metadata;
  const resources = countedResources(quota, specialKinds);
  const counted: CountedObjects[] = [];
  for (const resource of resources) {
    const cached = await kinds.find(resource, signal);
    if (cached !== undefined) counted.push({ ...cached, objects: cached.objectsIn(namespace) });
  }
  const { status, requeueAfter = Infinity } = await finishInTurns(planQuota(quota, counted, clock.now()));
  if (status !== undefined) await unlessGone(writer.updateStatus(ResourceQuota, { ...quota, status }));
  const again = counted.length < resources.length ? PERIOD_MILLISECONDS : RESYNC_MILLISECONDS;
  return { requeueAfter: Math.min(requeueAfter, again) };
}
