import type { Clock } from '@binnacle/apimachinery/clock';
import { type Indexer, objectKey } from '@binnacle/client/cache';
import type { ResourceType, TypedObject } from '@binnacle/client/typed';
import { isAtLeast } from './versions.js';

/** The part of an informer that tells what a cache shows. */
export interface ObservedCache {
  readonly indexer: Pick<Indexer<TypedObject>, 'get'>;
  /** The version of the last event or list. */
  readonly state: { readonly version: string | undefined };
}

/** A write that a cache may not show yet. */
interface Expectation {
  readonly cache: ObservedCache;
  readonly key: string;
  readonly uid: string | undefined;
  /** The version that the write made; undefined for a deletion. */
  readonly version: string | undefined;
}

/** Writes of one kind that got no answer. */
export interface Doubt {
  /** When the last of them can have taken effect. */
  readonly until: number;
  /** The objects whose deletion got no answer. */
  readonly deleted: readonly TypedObject[];
}

interface Owner {
  readonly uid: string | undefined;
  readonly waiting: Expectation[];
  readonly doubts: Map<ResourceType, Doubt>;
  /** When the last write no longer holds up the owner. */
  expiresAt: number;
}

/** A write whose event never comes must not stop an owner forever. Upstream: `ExpectationsTimeout`. */
const LIFETIME_MILLISECONDS = 5 * 60_000;

/** How long a server may still work on a request whose connection broke. */
const LATE_EFFECT_MILLISECONDS = 1000;

/**
 * A loop's own writes that its caches do not show yet, for each owner. An owner whose expectations are not met is not reconciled, since its plan
 * would repeat those writes: it would create pods twice. They live in memory only: after a restart, caches begin with the latest state.
 */
export class Expectations {
  readonly #clock: Clock;
  /** By `namespace/name`. */
  readonly #owners = new Map<string, Owner>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The server has answered a creation or a change with this object. */
  expectWrite(owner: TypedObject, cache: ObservedCache, { metadata }: TypedObject): void {
    const { uid, resourceVersion: version } = metadata;
    this.#add(owner, { cache, key: objectKey({ metadata }), uid, version });
  }

  /** The server has accepted the deletion of this object. */
  expectDeletion(owner: TypedObject, cache: ObservedCache, { metadata }: TypedObject): void {
    this.#add(owner, { cache, key: objectKey({ metadata }), uid: metadata.uid, version: undefined });
  }

  /** A write got no answer, so it may have taken effect, or may still do so. `deleted`: the object that it was to delete. */
  doubt(owner: TypedObject, resource: ResourceType, deleted?: TypedObject): void {
    const { doubts } = this.#entryOf(owner);
    const before = doubts.get(resource)?.deleted ?? [];
    const until = this.#clock.monotonic() + LATE_EFFECT_MILLISECONDS;
    doubts.set(resource, { until, deleted: deleted === undefined ? before : [...before, deleted] });
  }

  /** The kinds in doubt. The caller reads them from the server, expects what it finds, and then calls {@link settle}. */
  doubtsOf(owner: TypedObject): ReadonlyMap<ResourceType, Doubt> {
    const known = this.#owners.get(objectKey(owner));
    return known === undefined || known.uid !== owner.metadata.uid ? new Map() : known.doubts;
  }

  /** Milliseconds until the writes in doubt have taken effect or never will. */
  remainingDoubt(owner: TypedObject): number {
    const now = this.#clock.monotonic();
    return [...this.doubtsOf(owner).values()].reduce((longest, { until }) => Math.max(longest, until - now), 0);
  }

  settle(owner: TypedObject, resource: ResourceType): void {
    this.#owners.get(objectKey(owner))?.doubts.delete(resource);
  }

  /** Milliseconds until the expectations of the owner expire, or 0 if they are met. */
  remainingWait(owner: TypedObject): number {
    const key = objectKey(owner);
    const known = this.#owners.get(key);
    if (known === undefined) return 0;
    const left = known.expiresAt - this.#clock.monotonic();
    if (known.uid === owner.metadata.uid && left > 0 && !known.waiting.every(isMet)) return left;
    this.#owners.delete(key);
    return 0;
  }

  /** For an owner that is gone. */
  forget(key: string): void {
    this.#owners.delete(key);
  }

  #add(owner: TypedObject, expectation: Expectation): void {
    if (isMet(expectation)) return;
    const entry = this.#entryOf(owner);
    entry.waiting.push(expectation);
    entry.expiresAt = this.#clock.monotonic() + LIFETIME_MILLISECONDS;
  }

  #entryOf(owner: TypedObject): Owner {
    const key = objectKey(owner);
    const { uid } = owner.metadata;
    let entry = this.#owners.get(key);
    if (entry === undefined || entry.uid !== uid) {
      const expiresAt = this.#clock.monotonic() + LIFETIME_MILLISECONDS;
      entry = { uid, waiting: [], doubts: new Map(), expiresAt };
      this.#owners.set(key, entry);
    }
    return entry;
  }
}

function isMet({ cache, key, uid, version }: Expectation): boolean {
  const cached = cache.indexer.get(key)?.metadata;
  if (version === undefined) return cached?.uid !== uid || cached?.deletionTimestamp !== undefined;
  // An object that was deleted since is in no cache. Then the version of the cache shows that it has seen the write.
  return (
    (cached?.uid === uid && isAtLeast(cached?.resourceVersion, version)) || isAtLeast(cache.state.version, version)
  );
}
