import { type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { type ObjectSource, Reflector } from '../cache/index.js';
import { type Clock, Deadline, reasonOf, systemClock, TimeoutError } from '@binnacle/apimachinery/clock';
import type { AnyObject } from '../dynamic/index.js';

export interface WaitForOptions {
  /** Milliseconds. Default: 10,000. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/** Bounds the object in the message. */
const LONGEST_DESCRIPTION = 2000;

/**
 * Resolves to the named object once it exists and meets the condition. It checks every state that a watch shows. `source` is a `ResourceClient`, of one
 * namespace for namespaced resources.
 *
 * Rejects with the error of the condition, with the signal's reason, or at the timeout with a `TimeoutError`. Its message shows the last state, its
 * cause is the last failed request.
 */
export async function waitFor<T extends AnyObject>(
  source: ObjectSource<T>,
  name: string,
  condition: (object: T) => boolean,
  options: WaitForOptions = {},
): Promise<T> {
  let found: T | undefined;
  await observe(source, name, options, (object) => {
    if (object === undefined || !condition(object)) return false;
    found = object;
    return true;
  });
  if (found === undefined) throw new Error('the object was not found');
  return found;
}

/** Resolves once no object has this name. Rejects like {@link waitFor}. */
export async function waitForDeletion<T extends AnyObject>(
  source: ObjectSource<T>,
  name: string,
  options: WaitForOptions = {},
): Promise<void> {
  await observe(source, name, options, (object) => object === undefined);
}

/** Resolves once `isExpected` accepts a state of the object; undefined means that it is missing. */
async function observe<T extends AnyObject>(
  source: ObjectSource<T>,
  name: string,
  { timeout = 10_000, signal, clock = systemClock }: WaitForOptions,
  isExpected: (object: T | undefined) => boolean,
): Promise<void> {
  signal?.throwIfAborted();
  using deadline = new Deadline(clock, timeout, signal, name);
  const over = new AbortController();
  const stop = (): void => over.abort();
  deadline.signal.addEventListener('abort', stop);
  let last: T | undefined;
  let failure: unknown;
  let outcome: 'reached' | { readonly error: unknown } | undefined;
  const look = (object: T | undefined): void => {
    if (outcome !== undefined) return;
    last = object;
    try {
      if (isExpected(object)) outcome = 'reached';
    } catch (error) {
      outcome = { error };
    }
    if (outcome !== undefined) stop();
  };
  const isIt = ({ metadata }: T): boolean => metadata?.name === name;
  const sink = {
    replace: (objects: readonly T[]) => look(objects.find(isIt)),
    set: (object: T) => (isIt(object) ? look(object) : undefined),
    delete: (object: T) => (isIt(object) ? look(undefined) : undefined),
  };
  const onError = (error: unknown): void => {
    failure = error;
  };
  await new Reflector(source, sink, { select: { fieldSelector: `metadata.name=${name}` }, clock, onError }).run(
    over.signal,
  );
  if (outcome === 'reached') return;
  if (outcome !== undefined) throw outcome.error;
  throw signal?.aborted === true ? reasonOf(signal) : late(name, timeout, last, failure);
}

function late(name: string, timeout: number, last: AnyObject | undefined, failure: unknown): TimeoutError {
  const state = last === undefined ? 'missing' : stringifyJson(last as JsonObject).slice(0, LONGEST_DESCRIPTION);
  return new TimeoutError(`${name} is not in the expected state after ${timeout} ms: ${state}`, { cause: failure });
}
