import { Controller, type ReconcileRequest } from '@binnacle/client/controller';
import { Node, Pod, Service } from '@binnacle/client/kinds/core/v1';
import { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { reconcileOwner } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import {
  changesEndpoints,
  lateRetries,
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
  const triggerTimes = new TriggerTimes();
  const gone = (request: ReconcileRequest) => {
    topology.forget(request);
    triggerTimes.forget(request);
  };
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
    rateLimiter: lateRetries(1_000_000),
    reconcile: reconcileOwner({ resource: Service, writes: [EndpointSlice], informers, gone }, (service, owner) =>
      reconcileSlices(service, { ...owner, recorder, topology, triggerTimes }),
    ),
  }).bind(context);
};
