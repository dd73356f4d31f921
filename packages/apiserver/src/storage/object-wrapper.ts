import type { DamagedKey, KeyValue, ValueReader } from '@binnacle/kv';
import { isTurnOver, pause } from '../slices/index.js';
import type { StorageCodec } from './codec.js';
import type { EncodedObject } from './encode-object.js';
import { StorageError, unlessDamaged } from './errors.js';
import { OwnWrites } from './own-writes.js';
import { StoredObject } from './stored-object.js';
import type { StoredParts } from './stored-value.js';
import { decodeVerification, type Verification } from './verification.js';

/** Makes objects of stored values, and knows which values need no canonicalization. */
export class ObjectWrapper {
  readonly #codec: StorageCodec;
  /** The canonical bytes of own writes. An in-process store returns the very bytes that it was given. */
  readonly #written = new WeakMap<Uint8Array, Uint8Array>();
  /** The same for a remote store. */
  readonly #sent = new OwnWrites();
  readonly #isRemote: boolean;
  #isWatched = false;
  #verification: Verification | undefined;

  constructor(codec: StorageCodec, isRemote: boolean) {
    this.#codec = codec;
    this.#isRemote = isRemote;
  }

  /** A watch begins, whose values {@link wrap} will get. */
  expectEvents(): void {
    this.#isWatched = true;
  }

  /** Call it before a write. */
  remember(key: string, { stored, canonical }: EncodedObject): void {
    if (!this.#isRemote) this.#written.set(stored, canonical);
    else if (this.#isWatched) this.#sent.add(key, stored, canonical);
  }

  /** Call it after a write that stored nothing, whose bytes no event will bring back. */
  forget(key: string): void {
    this.#sent.forget(key);
  }

  /** Takes the store's note, for the values that {@link wrapInPlace} reads. */
  useNote(note: Uint8Array | undefined): void {
    this.#verification = note && decodeVerification(note);
  }

  /** Wraps a value that the codec can read: one from a watch, or an own write. */
  wrap({ key, value, modRevision, tag, storedAs }: KeyValue): StoredObject {
    const known = this.#written.get(value);
    const { stored = value, canonical = known } = this.#sent.take(key, value) ?? {};
    const [codec, revision] = [this.#codec, modRevision];
    return canonical === undefined
      ? new StoredObject({ codec, key, revision, value, isCanonical: this.#isTrusted(tag), storedAs })
      : new StoredObject({ codec, key, revision, value: canonical, isCanonical: true, stored, storedAs });
  }

  /** Wraps values, after the codec has loaded what it needs to read them. */
  async wrapAll(items: readonly KeyValue[]): Promise<StoredObject[]> {
    for (const { value } of items) {
      const loading = this.#codec.beforeReading(value);
      if (loading !== undefined) await loading;
    }
    return items.map((item) => this.wrap(item));
  }

  /**
   * Wraps values that stay in the store, in the state at `revision`. Damaged ones are left out, and passed to `damaged`.
   */
  async wrapInPlace(
    items: readonly KeyValue[],
    revision: number,
    reader: ValueReader,
    damaged: (key: DamagedKey) => void,
  ): Promise<StoredObject[]> {
    const objects: StoredObject[] = [];
    const verification = this.#verificationAt(revision);
    for (const { key, modRevision } of items) {
      if (isTurnOver()) await pause();
      const loaded = unlessDamaged(() => reader.load(modRevision));
      if (loaded === undefined) {
        damaged({ key, revision: modRevision });
        continue;
      }
      const { value, tag } = loaded;
      const isTrusted = this.#isTrusted(tag) || isVerified(verification, modRevision);
      const parts = { codec: this.#codec, key, revision: modRevision, value, isCanonical: isTrusted };
      const object = objectIn(reader, parts);
      if (!(object instanceof StoredObject)) {
        damaged(object);
        continue;
      }
      objects.push(object);
      // The next read may overwrite the value, so nothing uses it after the wait.
      const loading = isTrusted ? undefined : this.#codec.beforeReading(value);
      if (loading !== undefined) await loading;
    }
    return objects;
  }

  /** Whether the tag shows that the value is in this process's canonical form. */
  #isTrusted(tag: number | undefined): boolean {
    return tag !== undefined && tag === this.#codec.fingerprint;
  }

  /** The verification, if it holds for values that are current at this revision. */
  #verificationAt(revision: number): Verification | undefined {
    const found = this.#verification;
    if (found === undefined || found.fingerprint !== this.#codec.fingerprint) return undefined;
    return found.revision <= revision ? found : undefined;
  }
}

/** An object whose bytes stay in the store. Bytes that are trusted may be forged, and hold no object. */
function objectIn(reader: ValueReader, parts: StoredParts): StoredObject | DamagedKey {
  try {
    return StoredObject.readingFrom(reader, parts);
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'damaged') throw error;
    const unreadable = { problem: 'undecodable', reason: error.message } as const;
    return { key: parts.key, revision: parts.revision, unreadable };
  }
}

/** For a value that is current at a revision for which the verification holds. */
function isVerified(verification: Verification | undefined, modRevision: number): boolean {
  return verification !== undefined && modRevision <= verification.revision && !verification.others.has(modRevision);
}
