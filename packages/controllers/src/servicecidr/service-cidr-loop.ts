import { formatTime } from '@binnacle/apimachinery/time';
import { Controller, type ReconcileRequest, type ReconcileResult } from '@binnacle/client/controller';
import type { EventRecorder } from '@binnacle/client/events';
import { IPAddress, ServiceCIDR } from '@binnacle/client/kinds/networking/v1';
import { type OwnerContext, reconcileOwner, requeue, timeOf, unlessGone } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { FINALIZER, planRange, type RangePlan, type ReadyCondition } from './plan.js';
import { offers, overlaps, prefixesOf, serviceAddress } from './prefixes.js';

/** The name in events, and the owner of the condition. */
const NAME = 'service-cidr-controller';

/** Upstream runs as many workers. */
const CONCURRENCY = 5;

/** Upstream: kubernetes `pkg/controller/servicecidrs`. */
export const createServiceCidrLoop: CreateLoop = (context) => {
  const { informers } = context;
  const ranges = informers.informer(ServiceCIDR).lister;
  const recorder = context.events.recorder({ component: NAME });
  return new Controller({
    name: 'ipaddresses',
    for: ServiceCIDR,
    watches: [
      {
        // A new range may contain one that cannot be deleted.
        resource: ServiceCIDR,
        predicate: ({ type }) => type === 'create',
        map: (range: ServiceCIDR) => requests(ranges.list().filter((other) => areOverlapping(range, other))),
      },
      {
        resource: IPAddress,
        predicate: ({ type }) => type === 'create' || type === 'delete',
        map: (address: IPAddress) => requests(ranges.list().filter((range) => isIn(range, address))),
      },
    ],
    concurrency: CONCURRENCY,
    reconcile: reconcileOwner({ resource: ServiceCIDR, writes: [], informers }, (range, owner) =>
      reconcileRange(range, owner, recorder),
    ),
  }).bind(context);
};

async function reconcileRange(
  range: ServiceCIDR,
  context: OwnerContext,
  recorder: EventRecorder,
): Promise<ReconcileResult> {
  const { lister, clock } = context;
  const plan = planRange({
    range,
    ranges: lister(ServiceCIDR).list(),
    addresses: () => lister(IPAddress).list(),
    deletedAt: timeOf(range.metadata.deletionTimestamp),
    now: clock.now(),
  });
  await changeFinalizer(range, plan, context);
  if (plan.condition !== undefined) await setCondition(range, plan.condition, context, recorder);
  return requeue(plan.requeueAfter);
}

async function changeFinalizer(range: ServiceCIDR, { finalizer }: RangePlan, { writer }: OwnerContext): Promise<void> {
  if (finalizer === undefined) return;
  const field = finalizer === 'add' ? 'finalizers' : '$deleteFromPrimitiveList/finalizers';
  await unlessGone(writer.patch(ServiceCIDR, range, { metadata: { [field]: [FINALIZER] } }));
}

async function setCondition(
  range: ServiceCIDR,
  condition: ReadyCondition,
  { writer, clock }: OwnerContext,
  recorder: EventRecorder,
): Promise<void> {
  const conditions = [{ ...condition, lastTransitionTime: formatTime(clock.now()) }];
  const { apiVersion, kind, metadata } = range;
  const applied = { apiVersion, kind, metadata: { name: metadata.name ?? '' }, status: { conditions } };
  try {
    await writer.applyStatus(ServiceCIDR, applied, { fieldManager: NAME, force: true });
  } catch (error) {
    if (condition.status === 'True') {
      const message = 'The ServiceCIDR Status can not be set to Ready=True';
      recorder.event(range, 'Warning', 'KubernetesServiceCIDRError', message);
    }
    throw error;
  }
}

function areOverlapping(one: ServiceCIDR, other: ServiceCIDR): boolean {
  const prefixes = prefixesOf(other);
  return prefixesOf(one).some((prefix) => prefixes.some((each) => overlaps(prefix, each)));
}

function isIn(range: ServiceCIDR, object: IPAddress): boolean {
  const address = serviceAddress(object);
  return address !== undefined && prefixesOf(range).some((prefix) => offers(prefix, address));
}

function requests(ranges: readonly ServiceCIDR[]): ReconcileRequest[] {
  return ranges.map(({ metadata: { name = '' } }) => ({ namespace: undefined, name }));
}
