import { type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { type ObjectSource, Reflector } from '../cache/index.js';
import { type Clock, Deadline, reasonOf, systemClock, TimeoutError } from '../clock/index.js';
import type { AnyObject } from '../dynamic/index.js';

export interface WaitForOptions {
  /** Milliseconds. Default: 10,000. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/** An object can be large, and a person reads the message. */
const LONGEST_DESCRIPTION = 2000;

/**
 * Resolves with the object of this name as soon as it is there and fits the condition. Every state that a watch shows is looked at.
 * `source` is a `ResourceClient`, of one namespace where the resource has them.
 *
 * Rejects with what the condition throws; with a `TimeoutError` that shows the last state, and has the last failed request as its cause;
 * with the signal's reason when that fires.
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
  if (found === undefined) throw new Error('the object that was found is not there');
  return found;
}

/** Resolves when there is no object of this name; rejects as {@link waitFor} does. */
export async function waitForDeletion<T extends AnyObject>(
  source: ObjectSource<T>,
  name: string,
  options: WaitForOptions = {},
): Promise<void> {
  await observe(source, name, options, (object) => object === undefined);
}

/** Resolves when `isWanted` says so of a state of the object; undefined stands for one that is not there. */
async function observe<T extends AnyObject>(
  source: ObjectSource<T>,
  name: string,
  { timeout = 10_000, signal, clock = systemClock }: WaitForOptions,
  isWanted: (object: T | undefined) => boolean,
): Promise<void> {
  signal?.throwIfAborted();
  using deadline = new Deadline(clock, timeout, signal, name);
  const over = new AbortController();
  const stop = (): void => over.abort();
  deadline.signal.addEventListener('abort', stop);
  let last: T | undefined;
  let failure: unknown;
  let outcome: 'wanted' | { readonly error: unknown } | undefined;
  const look = (object: T | undefined): void => {
    if (outcome !== undefined) return;
    last = object;
    try {
      if (isWanted(object)) outcome = 'wanted';
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
  if (outcome === 'wanted') return;
  if (outcome !== undefined) throw outcome.error;
  throw signal?.aborted === true ? reasonOf(signal) : late(name, timeout, last, failure);
}

function late(name: string, timeout: number, last: AnyObject | undefined, failure: unknown): TimeoutError {
  const state = last === undefined ? 'not there' : stringifyJson(last as JsonObject).slice(0, LONGEST_DESCRIPTION);
  return new TimeoutError(`${name} is not as wanted after ${timeout} ms: ${state}`, { cause: failure });
}
