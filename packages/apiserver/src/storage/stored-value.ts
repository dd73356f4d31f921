import { messageOf } from '@binnacle/apimachinery/errors';
import type { StoredAs, ValueReader } from '@binnacle/kv';
import type { ByteSlabs } from './byte-slabs.js';
import type { StorageCodec } from './codec.js';
import { unreadableError } from './errors.js';
import { CANONICAL, OUTDATED, storedForm, type StoredForm, TRANSFORMED } from './stored-form.js';

/** What a {@link StoredValue} is made of. */
export interface StoredParts {
  readonly codec: StorageCodec;
  readonly key: string;
  /** The resourceVersion to serve; 0 = none yet (a dry run). */
  readonly revision: number;
  readonly value: Uint8Array;
  /** Whether the bytes are known to be canonical. Otherwise they are canonicalized on first use. */
  readonly isCanonical: boolean;
  /** The bytes that the store holds for the canonical ones. Default: these. */
  readonly stored?: Uint8Array;
  /** What the store below keeps for the object; see KV. */
  readonly storedAs?: StoredAs | undefined;
}

/**
 * The bytes of one version of one object: where they are, and in which form the store holds them. It is the base of
 * `StoredObject` and not a part of it, because a cache has one for each object.
 */
export class StoredValue {
  readonly key: string;
  /** The resourceVersion to serve; 0 = none yet (a dry run). */
  readonly revision: number;
  protected readonly codec: StorageCodec;
  /** Undefined: the bytes stay in the store, from where {@link #reader} reads them. */
  #value: Uint8Array | undefined;
  #reader: ValueReader | undefined;
  #size: number;
  #canonical: boolean;
  /** The form in the store, once the bytes are canonical. */
  #form: StoredForm;
  /** The slabs that hold the bytes, if any. */
  #slabs: ByteSlabs | undefined;

  constructor({ codec, key, revision, value, isCanonical, stored = value, storedAs }: StoredParts) {
    this.codec = codec;
    this.key = key;
    this.revision = revision;
    this.#value = value;
    this.#size = value.length;
    this.#canonical = isCanonical;
    this.#form = storedAs === 'outdated' ? OUTDATED : storedForm(stored, value);
    if (storedAs === 'other' && this.#form === CANONICAL) this.#form = TRANSFORMED;
  }

  /**
   * Canonical bytes, without a resourceVersion. They may be valid only until the next read of the store or of another
   * object: copy them to keep them. Throws StorageError `damaged` if no object can be made of the stored bytes.
   */
  get canonical(): Uint8Array {
    const value = this.#value ?? this.#stored();
    if (this.#canonical) return value;
    const canonical = this.decoded(() => this.codec.canonicalize(value));
    if (Buffer.compare(canonical, value) !== 0) {
      if (!this.isOutdated) this.#form = storedForm(value, canonical);
      this.#replace(value, canonical);
    }
    this.#canonical = true;
    return this.#value ?? canonical;
  }

  /** Its approximate size in memory, in bytes, wherever the bytes are. */
  get size(): number {
    return this.#size;
  }

  /** Whether the store is known to hold the canonical bytes. */
  get isStoredCanonically(): boolean {
    return this.#canonical && this.#form === CANONICAL;
  }

  /** Whether the store should get the object again, even without changes. */
  get isOutdated(): boolean {
    return this.#form === OUTDATED;
  }

  /**
   * Whether the store holds exactly `stored` for these canonical bytes, so that writing would change nothing. An
   * object in another form is written even without changes, which brings a store up to date.
   */
  isStoredAs(stored: Uint8Array, canonical: Uint8Array): boolean {
    if (this.isOutdated) return false;
    const value = this.#value ?? this.#stored();
    if (!this.#canonical) return Buffer.compare(stored, value) === 0;
    const form = this.#form === TRANSFORMED ? CANONICAL : this.#form;
    return Buffer.compare(canonical, value) === 0 && storedForm(stored, canonical) === form;
  }

  /** Moves the bytes into slabs. Bytes that replace them later go there too. */
  keepIn(slabs: ByteSlabs): void {
    this.#slabs = slabs;
    if (this.#value !== undefined) this.#value = slabs.copy(this.#value);
  }

  /** Moves the bytes again when that frees memory. */
  settle(): void {
    if (this.#value !== undefined && this.#slabs?.isSparse(this.#value) === true)
      this.#replace(this.#value, this.#value);
  }

  /**
   * Drops canonical bytes and reads them from the store if it holds exactly these. The reader must not advance past the
   * write that replaces the object before {@link release}. Returns whether the bytes are in the store only.
   */
  readFrom(reader: ValueReader): boolean {
    if (this.#value === undefined) return true;
    if (!this.isStoredCanonically) return false;
    this.leaveIn(reader);
    return true;
  }

  /** The owner gives up the object; other users of it keep working. */
  release(): void {
    this.#value = this.lastingValue();
    this.#reader = undefined;
    this.#releaseSlabs();
  }

  /** Drops the bytes, canonical or not. */
  protected leaveIn(reader: ValueReader): void {
    this.#releaseSlabs();
    this.#reader = reader;
    this.#value = undefined;
  }

  /** The bytes, in memory that no read of the store overwrites. */
  protected lastingValue(): Uint8Array {
    return this.#value ?? new Uint8Array(this.#stored());
  }

  /** For a copy with the bytes of `of`. */
  protected takeForm(of: StoredValue): void {
    this.#canonical = of.#canonical;
    this.#form = of.#form;
  }

  /** The result of `decode`, whose errors become StorageError `damaged`. */
  protected decoded<T>(decode: () => T): T {
    try {
      return decode();
    } catch (cause) {
      const { key, revision } = this;
      throw unreadableError([{ key, revision, problem: 'undecodable', reason: messageOf(cause) }], { cause });
    }
  }

  #replace(old: Uint8Array, value: Uint8Array): void {
    this.#slabs?.release(old);
    this.#value = this.#slabs?.copy(value) ?? value;
    this.#size = value.length;
  }

  #releaseSlabs(): void {
    if (this.#value !== undefined) this.#slabs?.release(this.#value);
    this.#slabs = undefined;
  }

  #stored(): Uint8Array {
    if (this.#reader === undefined) throw new Error(`${this.key}: neither kept nor stored`);
    return this.#reader.read(this.revision);
  }
}
