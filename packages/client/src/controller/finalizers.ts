import { notFound } from '@binnacle/apimachinery/status';
import { type Clock, systemClock } from '../clock/index.js';
import type { ResourceClient } from '../dynamic/index.js';
import { isNotFound, retryOnConflict } from '../rest/index.js';
import type { SendOptions } from '../transport/index.js';
import type { TypedObject } from '../typed/index.js';

export interface FinalizerOptions extends SendOptions {
  /** For the pause after a lost race. */
  readonly clock?: Clock | undefined;
}

export function hasFinalizer({ metadata }: TypedObject, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}

/**
 * The usual course of an object with a finalizer. While nobody has deleted it, gives it with the finalizer, so that its deletion waits. Once
 * somebody has, cleans up, takes the finalizer away and gives undefined: there is nothing more to do. When `cleanUp` throws, the finalizer
 * stays and so does the object; `cleanUp` is called again with the next reconcile, and must bear that.
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

/** The object with the finalizer, written if it was not there. Rejects when the object is gone, or is being deleted. */
export async function ensureFinalizer<T extends TypedObject>(
  client: ResourceClient<T>,
  object: T,
  finalizer: string,
  options: FinalizerOptions = {},
): Promise<T> {
  return changeFinalizers(client, object, (present) => [...new Set([...present, finalizer])], options);
}

/** The object without the finalizer, written if it was there; undefined when the object is gone, as it may be after its last finalizer. */
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

/** Others have finalizers in the same list: a write counts only for the state that it was made from, and a lost race is run again. */
async function changeFinalizers<T extends TypedObject>(
  client: ResourceClient<T>,
  object: T,
  change: (present: readonly string[]) => readonly string[],
  { clock = systemClock, ...send }: FinalizerOptions,
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
  return retryOnConflict(attempt, { clock, ...(send.signal === undefined ? {} : { signal: send.signal }) });
}
