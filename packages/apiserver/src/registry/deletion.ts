import type { Int64 } from '@binnacle/apimachinery/json';
import { conflict } from '@binnacle/apimachinery/status';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { ResourceInfo } from './resource-info.js';
import { preconditionFailed } from './precondition.js';
import type { DeleteOptions } from './scope.js';
import type { Strategy } from './strategy.js';
import { formatTime } from '@binnacle/apimachinery/time';

const ORPHAN_FINALIZER = 'orphan';
const FOREGROUND_FINALIZER = 'foregroundDeletion';

/** What a delete request does to the current object, once its preconditions hold. */
export type DeletionPlan =
  /** Store `object` as marked for deletion: a finalizer or a grace period holds it. */
  | { readonly type: 'mark'; readonly object: KubernetesObject }
  /** Store `object`, then delete it: a graceful deletion with no grace period left. */
  | { readonly type: 'mark-and-delete'; readonly object: KubernetesObject }
  | { readonly type: 'delete' }
  /** The object is already being deleted, and this request changes nothing. */
  | { readonly type: 'pending' };

/**
 * Decides what a delete does. Pure: the caller owns `object`, and the plan may change it. Upstream: apiserver
 * `pkg/registry/rest/delete.go` and `pkg/registry/generic/registry/store.go`.
 */
export function planDeletion(
  strategy: Strategy,
  object: KubernetesObject,
  options: DeleteOptions,
  now: number,
): DeletionPlan {
  const graceful =
    strategy.gracefulDeletionSeconds === undefined ? undefined : markGracefully(strategy, object, options, now);
  if (graceful === 'pending') return { type: 'pending' };

  const marksItself = strategy.markForDeletion !== undefined && object.metadata.deletionTimestamp === undefined;
  if (!marksItself) applyPropagationPolicy(strategy, object, options);
  const held = hasPendingFinalizers(strategy, object);
  if (graceful === undefined) {
    if (!held) return { type: 'delete' };
    if (strategy.markForDeletion === undefined) markAsDeleting(object, now);
    else strategy.markForDeletion(object, now);
    strategy.prepareForDelete?.(object);
    return { type: 'mark', object };
  }
  return held || graceful > 0 ? { type: 'mark', object } : { type: 'mark-and-delete', object };
}

/** Whether any finalizer still holds the object. */
function hasPendingFinalizers(strategy: Strategy, object: Readonly<KubernetesObject>): boolean {
  return (object.metadata.finalizers ?? []).length > 0 || strategy.hasOwnFinalizers?.(object) === true;
}

/** Whether an update that has just removed the last finalizer completes a deletion. */
export function completesDeletion(
  strategy: Strategy,
  object: Readonly<KubernetesObject>,
  old: Readonly<KubernetesObject>,
): boolean {
  if (hasPendingFinalizers(strategy, object) || old.metadata.deletionTimestamp === undefined) return false;
  return Number(old.metadata.deletionGracePeriodSeconds ?? 0) === 0;
}

/** Whether an update brings a deletion forward: it removes finalizers from an object that is being deleted. */
export function advancesDeletion(object: Readonly<KubernetesObject>, old: Readonly<KubernetesObject>): boolean {
  if (old.metadata.deletionTimestamp === undefined) return false;
  return (object.metadata.finalizers ?? []).length < (old.metadata.finalizers ?? []).length;
}

/** Throws 409 unless the object has the uid and resourceVersion that the options name. */
export function checkDeletePreconditions(
  info: ResourceInfo,
  { refusesDeletesAsUpdates }: Pick<Strategy, 'refusesDeletesAsUpdates'>,
  object: Readonly<KubernetesObject>,
  { preconditions }: DeleteOptions,
): void {
  const { name = '', uid = '', resourceVersion = '' } = object.metadata;
  const parts: readonly (readonly [what: string, wanted: string | undefined, actual: string, why: string])[] = [
    ['UID', preconditions?.uid, uid, 'deleted and then recreated'],
    ['ResourceVersion', preconditions?.resourceVersion, resourceVersion, 'modified'],
  ];
  for (const [what, wanted, actual, why] of parts) {
    if (wanted === undefined || wanted === actual) continue;
    if (refusesDeletesAsUpdates === true) throw conflict(info.resource, name, preconditionFailed(what, wanted, actual));
    // Upstream names the kind, not the resource.
    const subject = { group: info.kind.group, resource: info.kind.kind };
    const mismatch = `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${actual})`;
    throw conflict(subject, name, `${mismatch}. The object might have been ${why}`);
  }
}

/**
 * The grace period in seconds. `pending`: the object is being deleted, and this request does not shorten that.
 * Undefined: delete at once.
 */
function markGracefully(
  strategy: Strategy,
  object: KubernetesObject,
  options: DeleteOptions,
  now: number,
): Int64 | 'pending' | undefined {
  const metadata = object.metadata;
  if (metadata.deletionTimestamp !== undefined) {
    const granted = metadata.deletionGracePeriodSeconds ?? 0;
    if (Number(granted) === 0) return undefined;
    const requested = requestedSeconds(options);
    if (requested === undefined || requested >= granted) return 'pending';
    const earlier = Date.parse(metadata.deletionTimestamp) - durationOf(granted) + durationOf(requested);
    metadata.deletionTimestamp = formatTime(earlier);
    metadata.deletionGracePeriodSeconds = requested;
    return requested;
  }
  const seconds = strategy.gracefulDeletionSeconds?.(object, requestedSeconds(options)) ?? 0;
  metadata.deletionTimestamp = formatTime(now + durationOf(seconds));
  metadata.deletionGracePeriodSeconds = seconds;
  raiseGeneration(object);
  return seconds;
}

/** Upstream treats a negative grace period as one second. */
function requestedSeconds({ gracePeriodSeconds }: DeleteOptions): Int64 | undefined {
  return gracePeriodSeconds !== undefined && gracePeriodSeconds < 0 ? 1 : gracePeriodSeconds;
}

/**
 * Milliseconds. Go counts nanoseconds in 64 bits, which wrap around: so a grace period of more than 292 years may end in the past,
 * but each has an end that clients can read.
 */
function durationOf(seconds: Int64): number {
  return Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n) / 1_000_000n);
}

function markAsDeleting(object: KubernetesObject, now: number): void {
  const metadata = object.metadata;
  if (metadata.deletionTimestamp === undefined) raiseGeneration(object);
  if (metadata.deletionTimestamp === undefined || Date.parse(metadata.deletionTimestamp) > now) {
    metadata.deletionTimestamp = formatTime(now);
  }
  metadata.deletionGracePeriodSeconds = 0;
}

function raiseGeneration(object: KubernetesObject): void {
  const generation = Number(object.metadata.generation ?? 0);
  if (generation > 0) object.metadata.generation = generation + 1;
}

function applyPropagationPolicy(strategy: Strategy, object: KubernetesObject, options: DeleteOptions): void {
  const present = object.metadata.finalizers ?? [];
  const policy = effectivePolicy(strategy, present, options);
  const wanted = policy === 'Orphan' ? ORPHAN_FINALIZER : policy === 'Foreground' ? FOREGROUND_FINALIZER : undefined;
  const others = present.filter((finalizer) => finalizer !== ORPHAN_FINALIZER && finalizer !== FOREGROUND_FINALIZER);
  const next = wanted === undefined ? others : [...others, wanted];
  const unchanged = next.length === present.length && next.every((finalizer) => present.includes(finalizer));
  if (unchanged) return;
  if (next.length === 0) delete object.metadata.finalizers;
  else object.metadata.finalizers = next;
}

/**
 * The policy of the request, else the one recorded on the object, else the kind's default. Upstream: apiserver
 * `pkg/registry/generic/registry/store.go`.
 */
function effectivePolicy(
  strategy: Strategy,
  finalizers: readonly string[],
  options: DeleteOptions,
): 'Foreground' | 'Background' | 'Orphan' {
  const { defaultDeletionPropagation = 'Background' } = strategy;
  if (defaultDeletionPropagation === 'Unsupported') return 'Background';
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background';
  if (options.propagationPolicy !== undefined) return options.propagationPolicy;
  const recorded = finalizers.find((finalizer) => finalizer === ORPHAN_FINALIZER || finalizer === FOREGROUND_FINALIZER);
  if (recorded !== undefined) return recorded === ORPHAN_FINALIZER ? 'Orphan' : 'Foreground';
  return defaultDeletionPropagation;
}
