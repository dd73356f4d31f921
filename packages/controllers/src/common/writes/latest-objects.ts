import { type Indexer, objectKey } from '@binnacle/client/cache';
import type { TypedObject } from '@binnacle/client/typed';
import type { ObservedCache } from './expectations.js';
import { isAtLeast } from './versions.js';

/** A cache of one kind. */
export interface Cache<T extends TypedObject> {
  readonly indexer: Indexer<T>;
  readonly state: ObservedCache['state'];
}

/**
 * A cache, and the own writes that it does not show yet. So a binding is seen by the next claim, which takes another volume, without a wait for the
 * events. The writes live in memory only: caches begin with the latest state.
 */
export class LatestObjects<T extends TypedObject> {
  readonly #cache: Cache<T>;
  readonly #written = new Map<string, T>();

  constructor(cache: Cache<T>) {
    this.#cache = cache;
  }

  /** The server has answered a write with this object. */
  wrote(object: T): void {
    this.#written.set(objectKey(object), object);
  }

  get(key: string): T | undefined {
    const written = this.#written.get(key);
    const cached = this.#cache.indexer.get(key);
    return written === undefined || isShown(written, cached, this.#cache.state.version) ? cached : written;
  }

  /** The objects of an index of the cache, and all that the cache does not show as they are. */
  candidates(index: string, value: string): T[] {
    const { indexer } = this.#cache;
    const keys = new Set([...indexer.byIndex(index, value).map(objectKey), ...this.#written.keys()]);
    return [...keys].flatMap((key) => this.get(key) ?? []);
  }

  /** Takes note of an event. Returns false if it only repeats an own write, which needs no reconcile. */
  observe(object: T, isDeleted: boolean): boolean {
    const key = objectKey(object);
    const written = this.#written.get(key);
    if (written === undefined) return true;
    const { uid, resourceVersion } = written.metadata;
    const isRepeated = !isDeleted && object.metadata.uid === uid && object.metadata.resourceVersion === resourceVersion;
    if (isDeleted || isShown(written, object, this.#cache.state.version)) this.#written.delete(key);
    return !isRepeated;
  }
}

/** Whether a cache shows a written object or a later one, or has seen that it is gone. `version`: of the cache. */
export function isShown<T extends TypedObject>(
  { metadata: { uid, resourceVersion = '' } }: T,
  cached: T | undefined,
  version: string | undefined,
): boolean {
  const isSame = cached?.metadata.uid === uid;
  return (
    (isSame && isAtLeast(cached?.metadata.resourceVersion, resourceVersion)) || isAtLeast(version, resourceVersion)
  );
}
