import { messageOf } from '@binnacle/apimachinery/errors';
import { objectKey } from '@binnacle/client/cache';
import { Controller, hasFinalizer, type ReconcileRequest } from '@binnacle/client/controller';
import type { EventRecorder } from '@binnacle/client/events';
import { Node, Service } from '@binnacle/client/kinds/core/v1';
import { ExponentialLimiter } from '@binnacle/client/workqueue';
import { type OwnerContext, reconcileOwner, unlessGone } from '../common/index.js';
import { type CreateLoop, idleLoop } from '../loop/index.js';
import { parseAddressRanges } from './address-range.js';
import { Backends, changesBackends } from './backends.js';
import { Balancers, serviceIndexes, servicesWithBalancer } from './balancers.js';
import { addressesOf, FINALIZER, operationFor } from './load-balancer.js';

/** Upstream: cloud-provider `controllers/service`. */
export const createServiceLbLoop: CreateLoop = (context) => {
  const ranges = parseAddressRanges(context.loadBalancerIPRange);
  // Without ranges no load balancers are made, as in a cluster without a cloud.
  if (ranges.length === 0) return idleLoop;
  const { informers } = context;
  const services = informers.informer(Service, { indexes: serviceIndexes }).indexer;
  const recorder = context.events.recorder({ component: 'service-controller' });
  const parts: Parts = {
    recorder,
    balancers: new Balancers(services, ranges),
    backends: new Backends(() => informers.informer(Node).lister.list()),
  };
  const gone = (request: ReconcileRequest) => parts.balancers.release(objectKey({ metadata: request }));
  return new Controller({
    name: 'service',
    for: Service,
    watches: [
      {
        resource: Node,
        predicate: changesBackends,
        map: () => {
          parts.backends.refresh();
          return servicesWithBalancer(services).map(({ metadata: { namespace, name = '' } }) => ({ namespace, name }));
        },
      },
    ],
    reads: [{ resource: Service, indexes: serviceIndexes }],
    rateLimiter: () => new ExponentialLimiter<string>({ initial: 5000, maximum: 300_000 }),
    reconcile: reconcileOwner({ resource: Service, writes: [], informers, gone }, (service, owner) =>
      reconcileBalancer(service, owner, parts),
    ),
  }).bind(context);
};

interface Parts {
  readonly recorder: EventRecorder;
  readonly balancers: Balancers;
  readonly backends: Backends;
}

async function reconcileBalancer(service: Service, context: OwnerContext, parts: Parts): Promise<void> {
  const { balancers, backends, recorder } = parts;
  switch (operationFor(service)) {
    case 'none':
      return balancers.release(objectKey(service));
    case 'delete':
      return deleteBalancer(service, context, parts);
    case 'ensure':
      if (!balancers.isCurrent(service)) return ensureBalancer(service, context, parts);
      if (balancers.hasBackends(service, backends.text)) return;
      balancers.remember(service, backends.text);
      if (backends.text === '') warnOfNoNodes(service, parts);
      else recorder.event(service, 'Normal', 'UpdatedLoadBalancer', 'Updated load balancer with new hosts');
  }
}

async function ensureBalancer(service: Service, { writer }: OwnerContext, parts: Parts): Promise<void> {
  const { balancers, backends, recorder } = parts;
  if (balancers.takesOver(service)) return balancers.remember(service, backends.text);
  recorder.event(service, 'Normal', 'EnsuringLoadBalancer', 'Ensuring load balancer');
  const addresses = assignOrWarn(service, parts);
  if (backends.text === '') warnOfNoNodes(service, parts);
  const hasAddresses = addressesOf(service).join() === addresses.join();
  const isProtected = hasFinalizer(service, FINALIZER);
  if (!isProtected || !hasAddresses) {
    await writer.patchStatus(Service, service, {
      ...(isProtected ? {} : { metadata: { finalizers: [FINALIZER] } }),
      ...(hasAddresses ? {} : { status: { loadBalancer: { ingress: addresses.map((ip) => ({ ip })) } } }),
    });
  }
  recorder.event(service, 'Normal', 'EnsuredLoadBalancer', 'Ensured load balancer');
  balancers.remember(service, backends.text);
}

function assignOrWarn(service: Service, { balancers, recorder }: Parts): readonly string[] {
  try {
    return balancers.assign(service);
  } catch (error) {
    const message = `Error syncing load balancer: failed to ensure load balancer: ${messageOf(error)}`;
    recorder.event(service, 'Warning', 'SyncLoadBalancerFailed', message);
    throw error;
  }
}

async function deleteBalancer(service: Service, { writer }: OwnerContext, parts: Parts): Promise<void> {
  const { balancers, recorder } = parts;
  if (balancers.has(service)) recorder.event(service, 'Normal', 'DeletingLoadBalancer', 'Deleting load balancer');
  await unlessGone(
    writer.patchStatus(Service, service, {
      metadata: { '$deleteFromPrimitiveList/finalizers': [FINALIZER] },
      status: { loadBalancer: { ingress: null } },
    }),
  );
  recorder.event(service, 'Normal', 'DeletedLoadBalancer', 'Deleted load balancer');
  balancers.release(objectKey(service));
}

function warnOfNoNodes(service: Service, { recorder }: Parts): void {
  const message = 'There are no available nodes for LoadBalancer';
  recorder.event(service, 'Warning', 'UnAvailableLoadBalancer', message);
}
