import { notFound } from '@binnacle/apimachinery/status';
import { type Clock, type Random, systemClock, systemRandom } from '@binnacle/apimachinery/clock';
import type { ResourceClient } from '../../dynamic/index.js';
import { isNotFound, retryOnConflict } from '../../rest/index.js';
import type { SendOptions } from '../../transport/index.js';
import type { TypedObject } from '../../typed/index.js';

export interface FinalizerOptions extends SendOptions {
  /** Times the backoff after a conflict. */
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

export function hasFinalizer({ metadata }: TypedObject, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}

/**
 * Handles an object with a finalizer. For a live object it ensures the finalizer and returns the object. For a deleted one it runs `cleanUp`,
 * removes the finalizer and returns undefined. If `cleanUp` throws, the finalizer and the object stay; the next reconcile calls `cleanUp` again,
 * so it must be idempotent.
 */
export async function finalize<T extends TypedObject>(
  client: ResourceClient<T>,
  object: T,
  finalizer: string,
  cleanUp: (object: T) => Promise<void>,
  options: FinalizerOptions = {},
): Promise<T | undefined> {
  if (object.metadata.deletionTimestamp === undefined) return ensureFinalizer(client, object, finalizer, options);
  if (!hasFinalizer(object, finalizer)) return undefined;
  await cleanUp(object);
  await removeFinalizer(client, object, finalizer, options);
  return undefined;
}

/** Adds the finalizer if it is missing. Rejects if the object is gone or being deleted. */
export async function ensureFinalizer<T extends TypedObject>(
  client: ResourceClient<T>,
  object: T,
  finalizer: string,
  options: FinalizerOptions = {},
): Promise<T> {
  return changeFinalizers(client, object, (present) => [...new Set([...present, finalizer])], options);
}

/** Removes the finalizer if it is present. Resolves to undefined if the object is gone. */
export async function removeFinalizer<T extends TypedObject>(
  client: ResourceClient<T>,
  object: T,
  finalizer: string,
  options: FinalizerOptions = {},
): Promise<T | undefined> {
  try {
    return await changeFinalizers(client, object, (present) => present.filter((each) => each !== finalizer), options);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Other controllers change the same list, so a patch carries the resourceVersion that it was computed from and is retried after a conflict. */
async function changeFinalizers<T extends TypedObject>(
  client: ResourceClient<T>,
  object: T,
  change: (present: readonly string[]) => readonly string[],
  { clock = systemClock, random = systemRandom, ...send }: FinalizerOptions,
): Promise<T> {
  const { name = '', namespace } = object.metadata;
  const scoped = namespace === undefined ? client : client.namespace(namespace);
  let known: T | undefined = object;
  const attempt = async () => {
    const current = known ?? (await scoped.get(name, send));
    known = undefined;
    const { uid, resourceVersion, finalizers: present = [] } = current.metadata;
    if (uid !== object.metadata.uid) throw notFound(client.resource, name);
    const finalizers = change(present);
    if (finalizers.length === present.length) return current;
    return scoped.patch(name, { type: 'merge', body: { metadata: { resourceVersion, finalizers } } }, send);
  };
  return retryOnConflict(attempt, { clock, random, ...(send.signal === undefined ? {} : { signal: send.signal }) });
}
