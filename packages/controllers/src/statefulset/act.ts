import { messageOf } from '@binnacle/apimachinery/errors';
import type { EventRecorder } from '@binnacle/client/events';
import type { StatefulSet } from '@binnacle/client/kinds/apps/v1';
import { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { isAlreadyExists } from '@binnacle/client/rest';
import { slowStart, type Writer } from '../common/index.js';
import type { ClaimsPlan } from './claims.js';
import type { PodAction, StatefulSetPlan } from './plan.js';

/** How the loop acts for a set. */
export interface SetControl {
  readonly writer: Writer;
  readonly recorder: EventRecorder;
  readonly set: StatefulSet;
}

/** Carries the phases out. Rejects with the first failure, and skips all that comes after it. */
export async function actInPhases(control: SetControl, { phases, isOrdered }: StatefulSetPlan): Promise<void> {
  for (const actions of phases) {
    if (isOrdered) for (const action of actions) await actOnPod(control, action);
    else await inBatches(control, actions);
  }
}

async function inBatches(control: SetControl, actions: readonly PodAction[]): Promise<void> {
  const batches = await slowStart(actions.length, async (index) => {
    const action = actions[index];
    if (action !== undefined) await actOnPod(control, action);
  });
  if (batches.succeeded < actions.length) throw batches.error;
}

async function actOnPod(control: SetControl, action: PodAction): Promise<void> {
  const { pod } = action;
  if (action.type === 'create') return createPod(control, pod, action.claims);
  if (action.type === 'delete') return deletePod(control, pod);
  if (action.type === 'update') return updatePod(control, pod, action.changed, action.claims);
  if (action.type === 'owners') return updateOwners(control, action.claims);
  await createClaims(control, pod, action.claims);
  await recordingFailure(control, 'Update', pod, () => updateOwners(control, action.claims));
}

export async function deletePod(control: SetControl, pod: Pod): Promise<void> {
  await recordingFailure(control, 'Delete', pod, () => control.writer.delete(Pod, pod));
  recordSuccess(control, 'Delete', pod);
}

/** Creates the claims first, since the pod cannot start without them. A pod of the same name is a failure without an event. */
async function createPod(control: SetControl, pod: Pod, claims: ClaimsPlan): Promise<void> {
  await recordingFailure(control, 'Create', pod, () => createClaims(control, pod, claims));
  let failure: { readonly error: unknown } | undefined;
  try {
    await control.writer.create(Pod, pod);
  } catch (error) {
    if (isAlreadyExists(error)) throw error;
    failure = { error };
  }
  await recordingFailure(control, 'Update', pod, () => updateOwners(control, claims));
  if (failure === undefined) return recordSuccess(control, 'Create', pod);
  recordFailure(control, 'Create', pod, failure.error);
  throw failure.error;
}

async function updatePod(control: SetControl, pod: Pod, changed: Pod | undefined, claims: ClaimsPlan): Promise<void> {
  await recordingFailure(control, 'Update', pod, async () => {
    await createClaims(control, pod, claims);
    await updateOwners(control, claims);
    if (changed !== undefined) await control.writer.update(Pod, changed);
  });
  recordSuccess(control, 'Update', pod);
}

/** Tries all claims, and rejects if one cannot be created or is being deleted. */
async function createClaims(
  { writer, recorder, set }: SetControl,
  pod: Pod,
  { create, deleting }: ClaimsPlan,
): Promise<void> {
  const errors = deleting.map((name) => new Error(`pvc ${name} is being deleted`));
  const of = `in StatefulSet ${set.metadata.name ?? ''}`;
  for (const claim of create) {
    const { name = '' } = claim.metadata;
    try {
      await writer.create(PersistentVolumeClaim, claim);
      const message = `Create Claim ${name} Pod ${pod.metadata.name ?? ''} ${of} success`;
      recorder.event(set, 'Normal', 'SuccessfulCreate', message);
    } catch (error) {
      errors.push(new Error(`failed to create PVC ${name}: ${messageOf(error)}`, { cause: error }));
      if (isAlreadyExists(error)) continue;
      const message = `Create Claim ${name} for Pod ${pod.metadata.name ?? ''} ${of} failed error: ${messageOf(error)}`;
      recorder.event(set, 'Warning', 'FailedCreate', message);
    }
  }
  const [first, ...others] = errors;
  if (first === undefined) return;
  if (others.length === 0) throw first;
  throw new AggregateError(errors, `[${errors.map(({ message }) => message).join(', ')}]`);
}

async function updateOwners({ writer, recorder, set }: SetControl, { update, conflicting }: ClaimsPlan): Promise<void> {
  for (const name of conflicting) {
    // "manging": clients may match upstream's text.
    const message = `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
    recorder.event(set, 'Warning', 'ConflictingController', message);
  }
  for (const claim of update) {
    try {
      await writer.update(PersistentVolumeClaim, claim);
    } catch (cause) {
      const { name = '' } = claim.metadata;
      throw new Error(`could not update claim ${name} for delete policy ownerRefs: ${messageOf(cause)}`, { cause });
    }
  }
}

type Verb = 'Create' | 'Update' | 'Delete';

async function recordingFailure(control: SetControl, verb: Verb, pod: Pod, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    recordFailure(control, verb, pod, error);
    throw error;
  }
}

function recordSuccess({ recorder, set }: SetControl, verb: Verb, { metadata }: Pod): void {
  const message = `${verb} Pod ${metadata.name ?? ''} in StatefulSet ${set.metadata.name ?? ''} successful`;
  recorder.event(set, 'Normal', `Successful${verb}`, message);
}

function recordFailure({ recorder, set }: SetControl, verb: Verb, { metadata }: Pod, error: unknown): void {
  const names = `Pod ${metadata.name ?? ''} in StatefulSet ${set.metadata.name ?? ''}`;
  recorder.event(set, 'Warning', `Failed${verb}`, `${verb} ${names} failed error: ${messageOf(error)}`);
}
