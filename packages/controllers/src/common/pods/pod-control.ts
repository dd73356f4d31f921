import { messageOf } from '@binnacle/apimachinery/errors';
import type { EventRecorder } from '@binnacle/client/events';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { hasCause } from '@binnacle/client/rest';
import type { TypedObject } from '@binnacle/client/typed';
import type { Writer } from '../writes/index.js';

/** How a loop acts on the pods of an owner. */
export interface PodControl {
  readonly writer: Writer;
  /** With the component of the loop. */
  readonly recorder: EventRecorder;
  readonly owner: TypedObject;
}

/** Creates the pod and records the outcome as an event of the owner. Resolves to undefined if the namespace is being deleted. */
export async function createPod({ writer, recorder, owner }: PodControl, pod: Pod): Promise<Pod | undefined> {
  if (Object.keys(pod.metadata.labels ?? {}).length === 0) throw new Error('unable to create pods, no labels');
  try {
    const created = await writer.create(Pod, pod);
    recorder.event(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name ?? ''}`);
    return created;
  } catch (error) {
    if (hasCause(error, 'NamespaceTerminating')) return undefined;
    recorder.event(owner, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
    throw error;
  }
}

/** Deletes the pod and records the outcome as an event of the owner. A pod that is gone is neither a failure nor an event. */
export async function deletePod({ writer, recorder, owner }: PodControl, pod: Pod): Promise<void> {
  const { name = '' } = pod.metadata;
  try {
    const deleted = await writer.delete(Pod, pod);
    if (deleted) recorder.event(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
  } catch (error) {
    recorder.event(owner, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
    throw new Error(`unable to delete pods: ${messageOf(error)}`, { cause: error });
  }
}
