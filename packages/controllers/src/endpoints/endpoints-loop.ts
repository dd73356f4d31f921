import { finishInTurns } from '@binnacle/apimachinery/turns';
import { messageOf } from '@binnacle/apimachinery/errors';
import { objectKey } from '@binnacle/client/cache';
import {
  Controller,
  type ObjectChange,
  type ReconcileContext,
  type ReconcileRequest,
} from '@binnacle/client/controller';
import type { EventRecorder } from '@binnacle/client/events';
import { Endpoints, Pod, Service } from '@binnacle/client/kinds/core/v1';
import { hasCause, isConflict, isNotFound } from '@binnacle/client/rest';
import { type OwnerContext, reconcileOwner } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import {
  changesEndpoints,
  hasOwnEndpoints,
  LEADER,
  podIndexes,
  podsOf,
  serviceIndexes,
  servicesOf,
  TriggerTimes,
} from '../serviceendpoints/index.js';
import { isOwn, planEndpoints } from './plan.js';

/** Upstream runs as many workers. */
const CONCURRENCY = 5;

/** Upstream: kubernetes `pkg/controller/endpoint`. */
export const createEndpointsLoop: CreateLoop = (context) => {
  const { informers, events } = context;
  const services = informers.informer(Service, { indexes: serviceIndexes }).indexer;
  const recorder = events.recorder({ component: 'endpoint-controller' });
  const triggerTimes = new TriggerTimes();
  const gone = (request: ReconcileRequest, reconcileContext: ReconcileContext) => {
    triggerTimes.forget(request);
    return deleteLeftover(request, reconcileContext);
  };
  return new Controller({
    name: 'endpoint',
    for: Service,
    watches: [
      { resource: Pod, predicate: changesEndpoints, map: (pod: Pod) => servicesOf(services, pod) },
      {
        resource: Endpoints,
        predicate: (change) => services.get(objectKey(change.object)) !== undefined || isLeftover(change),
        map: ({ metadata: { namespace, name = '' } }) => [{ namespace, name }],
      },
    ],
    reads: [
      { resource: Pod, indexes: podIndexes },
      { resource: Service, indexes: serviceIndexes },
    ],
    concurrency: CONCURRENCY,
    reconcile: reconcileOwner({ resource: Service, writes: [Endpoints], informers, gone }, (service, owner) =>
      reconcileEndpoints(service, owner, recorder, triggerTimes),
    ),
  }).bind(context);
};

/**
 * Whether Endpoints without a service were left by one: those found at the start, and those that this controller has made. Clients may create Endpoints
 * before their service.
 */
function isLeftover(change: ObjectChange<Endpoints>): boolean {
  if (change.type !== 'create') return false;
  return isOwn(change.object) || (change.isInInitialList && change.object.metadata.annotations?.[LEADER] === undefined);
}

async function deleteLeftover(request: ReconcileRequest, { client, lister, signal }: ReconcileContext): Promise<void> {
  const { namespace = '', name } = request;
  const endpoints = lister(Endpoints).namespace(namespace).get(name);
  if (endpoints === undefined) return;
  const { uid = '' } = endpoints.metadata;
  try {
    await client.resource(Endpoints).namespace(namespace).delete(name, { preconditions: { uid }, signal });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

async function reconcileEndpoints(
  service: Service,
  { indexer, lister, writer }: OwnerContext,
  recorder: EventRecorder,
  triggerTimes: TriggerTimes,
): Promise<void> {
  if (!hasOwnEndpoints(service)) return;
  const { namespace = '', name = '' } = service.metadata;
  const pods = podsOf(indexer(Pod), service);
  const current = lister(Endpoints).namespace(namespace).get(name);
  const triggerTime = await finishInTurns(triggerTimes.next(service, pods));
  const wanted = await finishInTurns(planEndpoints({ service, pods, current, triggerTime }));
  if (wanted === undefined) return;
  try {
    await (current === undefined ? writer.create(Endpoints, wanted) : writer.update(Endpoints, wanted));
  } catch (error) {
    if (isConflict(error) || hasCause(error, 'NamespaceTerminating')) throw error;
    const [reason, failure] =
      current === undefined
        ? ['FailedToCreateEndpoint', 'Failed to create endpoint for service']
        : ['FailedToUpdateEndpoint', 'Failed to update endpoint'];
    recorder.event(wanted, 'Warning', reason, `${failure} ${namespace}/${name}: ${messageOf(error)}`);
    throw error;
  }
}
