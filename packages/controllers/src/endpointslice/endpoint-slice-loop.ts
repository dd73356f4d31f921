import type { Clock } from '@binnacle/apimachinery/clock';
import { objectKey } from '@binnacle/client/cache';
import { Controller } from '@binnacle/client/controller';
import { Node, Pod, Service } from '@binnacle/client/kinds/core/v1';
import { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { BucketLimiter, ExponentialLimiter, MaxOfLimiter } from '@binnacle/client/workqueue';
import { reconcileOwner } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import {
  changesEndpoints,
  podIndexes,
  serviceIndexes,
  serviceOfSlice,
  servicesOf,
  sliceIndexes,
  TriggerTimes,
} from '../serviceendpoints/index.js';
import { reconcileSlices } from './reconcile-slices.js';
import { MANAGER } from './slice.js';
import { changesTopology, Topology } from './topology.js';

/** Upstream runs as many workers. */
const CONCURRENCY = 5;

/** When a service is deleted, its slices may be seen to go first. */
const DELETION_MILLISECONDS = 1000;

/** Upstream: kubernetes `pkg/controller/endpointslice` and `k8s.io/endpointslice`. */
export const createEndpointSliceLoop: CreateLoop = (context) => {
  const { informers } = context;
  const services = informers.informer(Service, { indexes: serviceIndexes }).indexer;
  const topology = new Topology(() => informers.informer(Node).lister.list());
  const recorder = context.events.recorder({ component: 'endpoint-slice-controller' });
  const options = { resource: Service, writes: [EndpointSlice], informers };
  const triggerTimes = new TriggerTimes();
  const reconcile = reconcileOwner(options, (service, owner) =>
    reconcileSlices(service, { ...owner, recorder, topology, triggerTimes }),
  );
  const toService = (slice: EndpointSlice) => serviceOfSlice(slice, MANAGER);
  return new Controller({
    name: 'endpoint_slice',
    for: Service,
    watches: [
      { resource: Pod, predicate: changesEndpoints, map: (pod: Pod) => servicesOf(services, pod) },
      { resource: EndpointSlice, predicate: ({ type }) => type !== 'delete', map: toService },
      {
        resource: EndpointSlice,
        predicate: ({ type }) => type === 'delete',
        map: toService,
        delay: DELETION_MILLISECONDS,
      },
      { resource: Node, predicate: changesTopology, map: () => topology.overloadedAfterChange() },
    ],
    reads: [
      { resource: Pod, indexes: podIndexes },
      { resource: Service, indexes: serviceIndexes },
      { resource: EndpointSlice, indexes: sliceIndexes },
    ],
    concurrency: CONCURRENCY,
    rateLimiter,
    reconcile: (request, reconcileContext) => {
      if (services.get(objectKey({ metadata: request })) === undefined) {
        topology.forget(request);
        triggerTimes.forget(request);
      }
      return reconcile(request, reconcileContext);
    },
  }).bind(context);
};

/** A change of a service may be expensive, so retries begin late. */
function rateLimiter(clock: Clock) {
  const each = new ExponentialLimiter<string>({ initial: 1000, maximum: 1_000_000 });
  return new MaxOfLimiter([each, new BucketLimiter<string>({ qps: 10, burst: 100 }, clock)]);
}
