import { LruMap } from '@binnacle/apimachinery/caches';

/** Values of writes that have not come back yet. A few milliseconds of writes are far less. */
const CAPACITY_BYTES = 8 * 1024 * 1024;

export interface OwnWrite {
  /** The canonical bytes themselves where the store keeps those. */
  readonly stored: Uint8Array;
  readonly canonical: Uint8Array;
}

/**
 * The canonical bytes of this process's recent writes to a remote store, whose watch returns each as another copy of the
 * stored bytes. A write is recognized by these bytes, because its event may come before its answer. One write of each key is
 * kept, until it has come back or newer ones need the space.
 */
export class OwnWrites {
  readonly #byKey = new LruMap<string, OwnWrite>(
    CAPACITY_BYTES,
    (_, { stored, canonical }) => stored.length + canonical.length,
  );

  add(key: string, stored: Uint8Array, canonical: Uint8Array): void {
    this.#byKey.set(key, { stored, canonical });
  }

  /** For a write that the store has refused, which never comes back. */
  forget(key: string): void {
    this.#byKey.delete(key);
  }

  /** The write that has come back as `value`; undefined if there is none. */
  take(key: string, value: Uint8Array): OwnWrite | undefined {
    const write = this.#byKey.get(key);
    if (write === undefined || Buffer.compare(write.stored, value) !== 0) return undefined;
    this.#byKey.delete(key);
    return write;
  }
}
