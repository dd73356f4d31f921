import { finishInTurns } from '@binnacle/apimachinery/turns';
import { Controller, type ReconcileContext, type ReconcileRequest } from '@binnacle/client/controller';
import type { EventRecorder } from '@binnacle/client/events';
import { Endpoints, Service } from '@binnacle/client/kinds/core/v1';
import { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { isConflict, isNotFound } from '@binnacle/client/rest';
import { type OwnerContext, reconcileOwner } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { hasSelector, lateRetries, serviceOfSlice, sliceIndexes, slicesOf } from '../serviceendpoints/index.js';
import { allowsMirror, isMirrored, MANAGER, planMirror } from './plan.js';

/** Upstream runs as many workers. */
const CONCURRENCY = 5;

/** Upstream: kubernetes `pkg/controller/endpointslicemirroring`. */
export const createEndpointSliceMirroringLoop: CreateLoop = (context) => {
  const recorder = context.events.recorder({ component: 'endpoint-slice-mirroring-controller' });
  const { informers } = context;
  return new Controller({
    name: 'endpoint_slice_mirroring',
    for: Endpoints,
    predicate: (change) => allowsMirror(change.object) || (change.type === 'update' && allowsMirror(change.before)),
    watches: [
      {
        resource: Service,
        predicate: (change) =>
          change.type === 'update'
            ? hasSelector(change.before) !== hasSelector(change.object)
            : change.type !== 'resync' && !hasSelector(change.object),
        map: ({ metadata: { namespace, name = '' } }: Service) => [{ namespace, name }],
      },
      { resource: EndpointSlice, map: (slice: EndpointSlice) => serviceOfSlice(slice, MANAGER) },
    ],
    reads: [{ resource: EndpointSlice, indexes: sliceIndexes }],
    concurrency: CONCURRENCY,
    rateLimiter: lateRetries(100_000),
    reconcile: reconcileOwner(
      { resource: Endpoints, writes: [EndpointSlice], informers, gone: deleteSlices },
      (endpoints, owner) => mirrorEndpoints(endpoints, owner, recorder),
    ),
  }).bind(context);
};

async function mirrorEndpoints(endpoints: Endpoints, context: OwnerContext, recorder: EventRecorder): Promise<void> {
  const { indexer, lister, writer } = context;
  const { namespace, name = '', deletionTimestamp } = endpoints.metadata;
  const service = lister(Service)
    .namespace(namespace ?? '')
    .get(name);
  if (!isMirrored(endpoints, service)) return deleteSlices({ namespace, name }, context);
  const slices = slicesOf(indexer(EndpointSlice), { namespace, name }, MANAGER);
  const { creates, updates, deletes, warnings } = await finishInTurns(planMirror(endpoints, slices));
  for (const { reason, message } of warnings) recorder.event(endpoints, 'Warning', reason, message);
  // The garbage collector deletes the slices of Endpoints that are being deleted.
  for (const slice of deletionTimestamp === undefined ? creates : []) await writer.create(EndpointSlice, slice);
  for (const slice of updates) await writer.update(EndpointSlice, slice);
  for (const slice of deletes) await writer.delete(EndpointSlice, slice);
}

async function deleteSlices(request: ReconcileRequest, { client, indexer, signal }: ReconcileContext): Promise<void> {
  for (const { metadata } of slicesOf(indexer(EndpointSlice), request, MANAGER)) {
    const { namespace = '', name = '', uid = '' } = metadata;
    try {
      await client.resource(EndpointSlice).namespace(namespace).delete(name, { preconditions: { uid }, signal });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}
