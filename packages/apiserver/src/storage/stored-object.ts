import { messageOf } from '@binnacle/apimachinery/errors';
import { endOfValue } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Steps } from '@binnacle/apimachinery/work';
import type { StoredAs, ValueReader } from '@binnacle/kv';
import type { ByteSlabs } from './byte-slabs.js';
import type { StorageCodec } from './codec.js';
import { unreadableError, StorageError } from './errors.js';
import { CANONICAL, OUTDATED, storedForm, type StoredForm, TRANSFORMED } from './stored-form.js';
import type { UnreadableObject } from './unreadable.js';
import { type Comma, commaAt, versionLength, writeVersion } from './version-member.js';

const OPEN_BRACE = 0x7b;

/** What a {@link StoredObject} is made of. */
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
 * One version of one object: its bytes, and values computed from them once. Immutable to its users, and shared by the
 * cache, lists, watches and the store.
 */
export class StoredObject {
  readonly key: string;
  /** The resourceVersion to serve; 0 = none yet (a dry run). */
  readonly revision: number;
  readonly #codec: StorageCodec;
  /** Undefined: the bytes stay in the store, from where {@link #reader} reads them. */
  #value: Uint8Array | undefined;
  #reader: ValueReader | undefined;
  #size: number;
  #canonical: boolean;
  /** The form in the store, once the bytes are canonical. */
  #form: StoredForm;
  /** Where the resourceVersion goes in the canonical bytes; -1 = not known yet. */
  #spliceOffset = -1;
  #comma: Comma = 'after';
  /** The slabs that hold the bytes, if any. */
  #slabs: ByteSlabs | undefined;
  /** The length of its protobuf message as a list item, once measured. */
  messageLength: number | undefined;
  #labels: Readonly<Record<string, string>> | undefined;
  #fields: Readonly<Record<string, string>> | undefined;

  constructor({ codec, key, revision, value, isCanonical, stored = value, storedAs }: StoredParts) {
    this.#codec = codec;
    this.key = key;
    this.revision = revision;
    this.#value = value;
    this.#size = value.length;
    this.#canonical = isCanonical;
    this.#form = storedAs === 'outdated' ? OUTDATED : storedForm(stored, value);
    if (storedAs === 'other' && this.#form === CANONICAL) this.#form = TRANSFORMED;
  }

  /**
   * An object whose bytes stay in the store, canonical or not; see {@link readFrom}. The value of `parts` need be valid
   * only for the moment.
   */
  static readingFrom(reader: ValueReader, parts: StoredParts): StoredObject {
    const object = new StoredObject(parts);
    if (parts.isCanonical) object.#splice();
    object.#reader = reader;
    object.#value = undefined;
    return object;
  }

  /** The same content with another revision: what a watch shows of a deleted object. */
  withRevision(revision: number): StoredObject {
    const value = this.#value ?? this.#copyOfStored();
    const copy = new StoredObject({ codec: this.#codec, key: this.key, revision, value, isCanonical: this.#canonical });
    copy.#form = this.#form;
    copy.#spliceOffset = this.#spliceOffset;
    copy.#comma = this.#comma;
    copy.#labels = this.#labels;
    copy.#fields = this.#fields;
    return copy;
  }

  /**
   * Canonical bytes, without a resourceVersion. They may be valid only until the next read of the store or of another
   * object: copy them to keep them. Throws StorageError `damaged` if no object can be made of the stored bytes.
   */
  get canonical(): Uint8Array {
    const value = this.#value ?? this.#stored();
    if (this.#canonical) return value;
    const canonical = this.#decoded(() => this.#codec.canonicalize(value));
    if (Buffer.compare(canonical, value) !== 0) {
      if (!this.isOutdated) this.#form = storedForm(value, canonical);
      this.#replace(value, canonical);
    }
    this.#canonical = true;
    return this.#value ?? canonical;
  }

  #decoded<T>(decode: () => T): T {
    try {
      return decode();
    } catch (cause) {
      const { key, revision } = this;
      throw unreadableError([{ key, revision, problem: 'undecodable', reason: messageOf(cause) }], { cause });
    }
  }

  /**
   * Computes ahead what a list would otherwise compute for many objects at once. Returns why the object cannot be read, if it
   * cannot.
   */
  prepare(): UnreadableObject | undefined {
    try {
      this.#splice();
      return undefined;
    } catch (error) {
      if (error instanceof StorageError && error.code === 'damaged') return error.unreadable[0];
      throw error;
    }
  }

  /** Moves the bytes into slabs. Bytes that replace them later go there too. */
  keepIn(slabs: ByteSlabs): void {
    this.#slabs = slabs;
    if (this.#value !== undefined) this.#value = slabs.copy(this.#value);
  }

  /**
   * Drops canonical bytes and reads them from the store if it holds exactly these. The reader must not advance past the
   * write that replaces the object before {@link release}. Returns whether the bytes are in the store only.
   */
  readFrom(reader: ValueReader): boolean {
    if (this.#value === undefined) return true;
    if (!this.isStoredCanonically) return false;
    this.#splice();
    this.#releaseSlabs();
    this.#reader = reader;
    this.#value = undefined;
    return true;
  }

  /** Whether the store is known to hold the canonical bytes. */
  get isStoredCanonically(): boolean {
    return this.#canonical && this.#form === CANONICAL;
  }

  /** Whether the store should get the object again, even without changes. */
  get isOutdated(): boolean {
    return this.#form === OUTDATED;
  }

  /** Whether {@link prepare} would still compute something. */
  get isUnprepared(): boolean {
    return this.#spliceOffset < 0;
  }

  /** The owner gives up the object; other users of it keep working. */
  release(): void {
    this.#value ??= this.#copyOfStored();
    this.#reader = undefined;
    this.#releaseSlabs();
  }

  /** Moves the bytes again when that frees memory. */
  settle(): void {
    if (this.#value !== undefined && this.#slabs?.isSparse(this.#value) === true)
      this.#replace(this.#value, this.#value);
  }

  /** Its approximate size in memory, in bytes, wherever the bytes are. */
  get size(): number {
    return this.#size;
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

  /** A new decoded copy with its resourceVersion; the caller owns it. */
  decode(): KubernetesObject {
    // Decoding the served bytes puts the resourceVersion in its place.
    return this.#codec.decode(this.#served());
  }

  /** {@link decode} in steps. */
  decodeInSteps(): Steps<KubernetesObject> {
    return this.#codec.decodeInSteps(this.#served());
  }

  #served(): Uint8Array {
    return this.revision === 0 ? this.canonical : this.json();
  }

  /** The labels, for label selectors. */
  get labels(): Readonly<Record<string, string>> {
    this.#labels ??= this.#codec.labels(this.canonical);
    return this.#labels;
  }

  /** The selectable fields, for field selectors. */
  get fields(): Readonly<Record<string, string>> {
    this.#fields ??= this.#codec.fields(this.canonical);
    return this.#fields;
  }

  /** One of the {@link fields} whose value is the string at its own path. Unlike those, it is not kept. */
  field(path: string): string {
    return this.#fields?.[path] ?? this.#codec.field(this.canonical, path);
  }

  /** Size of {@link writeJson}. */
  get jsonLength(): number {
    const version = this.#versionLength();
    return this.#size + version;
  }

  /** Size of {@link writeListItem}. */
  get listItemLength(): number {
    return this.jsonLength - this.#codec.head.length + 1;
  }

  /** The served JSON of the object in its storage version, in one piece. */
  json(): Buffer {
    const target = Buffer.allocUnsafe(this.jsonLength);
    this.writeJson(target, 0);
    return target;
  }

  /** Writes the served JSON at `offset` and returns the offset after it. */
  writeJson(target: Uint8Array, offset: number): number {
    const bytes = this.canonical;
    return this.#write(bytes, target, offset, 0, bytes.length);
  }

  /** Writes the object as a list item, without kind and apiVersion. */
  writeListItem(target: Uint8Array, offset: number): number {
    const bytes = this.canonical;
    target[offset] = OPEN_BRACE;
    return this.#write(bytes, target, offset + 1, this.#codec.head.length, bytes.length);
  }

  /** The served JSON of the object's metadata only. */
  metadataJson(): Buffer {
    const bytes = this.canonical;
    const start = endOfValue(bytes, this.#codec.metadataOffset(bytes)) + 1;
    const end = endOfValue(bytes, start);
    const target = Buffer.allocUnsafe(end - start + this.#versionLength());
    this.#write(bytes, target, 0, start, end);
    return target;
  }

  /** Writes a range of the canonical bytes that contains the place of the resourceVersion. */
  #write(bytes: Uint8Array, target: Uint8Array, offset: number, from: number, to: number): number {
    const before = this.#splice() - from;
    const version = this.#versionLength();
    // Each view of the bytes costs as much as copying them, so the few bytes before the version are moved.
    target.set(bytes.subarray(from, to), offset + version);
    target.copyWithin(offset, offset + version, offset + version + before);
    writeVersion(target, offset + before, this.revision, this.#comma);
    return offset + version + to - from;
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

  #copyOfStored(): Uint8Array {
    return new Uint8Array(this.#stored());
  }

  #splice(): number {
    if (this.#spliceOffset >= 0) return this.#spliceOffset;
    const bytes = this.canonical;
    const splice = this.#decoded(() => this.#codec.spliceOffset(bytes));
    this.#comma = commaAt(bytes, splice);
    this.#spliceOffset = splice;
    return splice;
  }

  #versionLength(): number {
    this.#splice();
    return versionLength(this.revision, this.#comma);
  }
}
