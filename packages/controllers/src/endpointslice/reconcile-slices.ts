import { finishInTurns } from '@binnacle/apimachinery/turns';
import { joinMessages, messageOf } from '@binnacle/apimachinery/errors';
import type { ReconcileResult } from '@binnacle/client/controller';
import type { EventRecorder } from '@binnacle/client/events';
import { Node, Pod, type Service } from '@binnacle/client/kinds/core/v1';
import { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { hasCause, isConflict } from '@binnacle/client/rest';
import { type OwnerContext, recordEvents, requeue } from '../common/index.js';
import { hasOwnEndpoints, podsOf, slicesOf, type TriggerTimes, withTriggerTime } from '../serviceendpoints/index.js';
import { rememberNothing } from './plan-hints.js';
import { planSlices, type SlicePlan } from './plan.js';
import { MANAGER } from './slice.js';
import type { Topology } from './topology.js';

export interface SliceContext extends OwnerContext {
  readonly recorder: EventRecorder;
  readonly topology: Topology;
  readonly triggerTimes: TriggerTimes;
}

/** Rejects also for pods whose node is missing, after it has written the slices without them: the node may come. */
export async function reconcileSlices(service: Service, context: SliceContext): Promise<ReconcileResult> {
  if (!hasOwnEndpoints(service)) return undefined;
  const { indexer, lister, topology, triggerTimes, recorder } = context;
  const { namespace, name = '' } = service.metadata;
  const pods = podsOf(indexer(Pod), service);
  const slices = slicesOf(indexer(EndpointSlice), { namespace, name }, MANAGER);
  const { shares } = topology;
  const plan = await finishInTurns(
    planSlices({
      service,
      pods,
      nodeOf: (node) => lister(Node).get(node),
      slices: slices.filter(({ metadata }) => metadata.deletionTimestamp === undefined),
      shares,
      hints: topology.hintsOf(service),
    }),
  );
  topology.remember(service, plan.hints);
  try {
    await write(service, plan, await finishInTurns(triggerTimes.next(service, pods)), context);
    recordEvents(recorder, service, plan.events);
    if (plan.problems.length > 0) throw new Error(joinMessages(plan.problems));
    // Changes of nodes meanwhile were compared with older hints.
    return requeue(plan.hints === rememberNothing || topology.shares === shares ? undefined : 0);
  } catch (error) {
    if (isExpected(error)) throw error;
    const subject = `Error updating Endpoint Slices for Service ${namespace ?? ''}/${name}`;
    recorder.event(service, 'Warning', 'FailedToUpdateEndpointSlices', `${subject}: ${messageOf(error)}`);
    throw error;
  }
}

async function write(
  service: Service,
  { creates, updates, deletes }: SlicePlan,
  triggerTime: string | undefined,
  { writer }: SliceContext,
): Promise<void> {
  const timed = ({ metadata, ...slice }: EndpointSlice): EndpointSlice => {
    const { annotations: before, ...rest } = metadata;
    const annotations = withTriggerTime(before, triggerTime);
    return { ...slice, metadata: { ...rest, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) } };
  };
  // The garbage collector deletes the slices of a service that is being deleted.
  const wanted = service.metadata.deletionTimestamp === undefined ? creates : [];
  const subject = `EndpointSlice for Service ${service.metadata.namespace ?? ''}/${service.metadata.name ?? ''}`;
  const nameOf = ({ metadata }: EndpointSlice) => metadata.name ?? '';
  for (const slice of wanted) {
    await attempt(`failed to create ${subject}`, writer.create(EndpointSlice, timed(slice)));
  }
  for (const slice of updates) {
    await attempt(`failed to update ${nameOf(slice)} ${subject}`, writer.update(EndpointSlice, timed(slice)));
  }
  for (const slice of deletes) {
    await attempt(`failed to delete ${nameOf(slice)} ${subject}`, writer.delete(EndpointSlice, slice));
  }
}

/** Says in the error which write has failed. An expected error is thrown unchanged. */
async function attempt(failure: string, write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (isExpected(error)) throw error;
    throw new Error(`${failure}: ${messageOf(error)}`, { cause: error });
  }
}

/** A stale cache, or a namespace that is being deleted. */
function isExpected(error: unknown): boolean {
  return isConflict(error) || hasCause(error, 'NamespaceTerminating');
}
