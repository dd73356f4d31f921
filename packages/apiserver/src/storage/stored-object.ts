import { endOfValue } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { ValueReader } from '@binnacle/kv/interface';
import type { ByteSlabs } from './byte-slabs.js';
import type { StorageCodec } from './codec.js';
import { storedForm, type StoredForm } from './stored-form.js';

const COMMA = 0x2c;
const QUOTE = 0x22;
const ZERO = 0x30;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** Whether the resourceVersion is the last member of metadata, or also the first: where its comma goes. */
type Comma = 'after' | 'before' | 'none';

const VERSION = Buffer.from('"resourceVersion":"');

/**
 * One version of one object: its bytes, and whatever was asked of them, computed once. Immutable to everybody else and
 * shared by the cache, lists, watches and the store.
 */
export class StoredObject {
  readonly key: string;
  /** The resourceVersion it is served with; 0 = it has none yet (a dry run). */
  readonly revision: number;
  readonly #codec: StorageCodec;
  /** Undefined: the store has the bytes, and {@link #reader} reads them. They are canonical then. */
  #value: Uint8Array | undefined;
  #reader: ValueReader | undefined;
  #size: number;
  #canonical: boolean;
  /** What the store holds, once the bytes are canonical. */
  #form: StoredForm;
  #spliceOffset = -1;
  #comma: Comma = 'after';
  /** Where the bytes are kept, when somebody keeps them. */
  #slabs: ByteSlabs | undefined;
  /** Of its message in protobuf as an item of a list, once it has been measured. */
  messageLength: number | undefined;
  #labels: Readonly<Record<string, string>> | undefined;
  #fields: Readonly<Record<string, string>> | undefined;

  /**
   * `canonical`: the bytes are known to be this server's own form, and the store holds `stored` for them. Otherwise they are brought
   * into it on first use.
   */
  constructor(
    codec: StorageCodec,
    key: string,
    revision: number,
    value: Uint8Array,
    canonical: boolean,
    stored: Uint8Array = value,
  ) {
    this.#codec = codec;
    this.key = key;
    this.revision = revision;
    this.#value = value;
    this.#size = value.length;
    this.#canonical = canonical;
    this.#form = storedForm(stored, value);
  }

  /** An object whose canonical bytes stay in the store; see {@link leaveTo}. `value`: they, for the moment. */
  static left(
    codec: StorageCodec,
    key: string,
    revision: number,
    value: Uint8Array,
    reader: ValueReader,
  ): StoredObject {
    const object = new StoredObject(codec, key, revision, value, true);
    object.leaveTo(reader);
    return object;
  }

  /** The same content under another revision: what a watch shows of an object that is gone. */
  withRevision(revision: number): StoredObject {
    const value = this.#value ?? this.#copyOfStored();
    const copy = new StoredObject(this.#codec, this.key, revision, value, this.#canonical);
    copy.#form = this.#form;
    copy.#spliceOffset = this.#spliceOffset;
    copy.#comma = this.#comma;
    copy.#labels = this.#labels;
    copy.#fields = this.#fields;
    return copy;
  }

  /** Canonical bytes, without a resourceVersion. They may stay so only until the store, or another object, is read: copy what is kept. */
  get canonical(): Uint8Array {
    const value = this.#value ?? this.#stored();
    if (this.#canonical) return value;
    const canonical = this.#codec.canonicalize(value);
    if (Buffer.compare(canonical, value) !== 0) {
      this.#form = storedForm(value, canonical);
      this.#replace(value, canonical);
    }
    this.#canonical = true;
    return this.#value ?? canonical;
  }

  /** Does now what is dear when it is asked of many objects at once. What cannot be read says so to those who ask for it. */
  prepare(): void {
    try {
      this.#splice();
    } catch {
      // The object stays as it is in the store, where it can be deleted.
    }
  }

  /** Moves the bytes to where somebody keeps those of many objects. */
  keepIn(slabs: ByteSlabs): void {
    if (this.#value === undefined) return;
    this.#slabs = slabs;
    this.#value = slabs.copy(this.#value);
  }

  /**
   * Keeps no bytes but reads those in the store, where it holds exactly these. The reader must not advance past the write that replaces the
   * object before {@link release}. Answers whether that can be.
   */
  leaveTo(reader: ValueReader): boolean {
    if (!this.#canonical || this.#form !== 0) return false;
    this.#splice();
    this.#letGo();
    this.#reader = reader;
    this.#value = undefined;
    return true;
  }

  /** The keeper keeps it no more; whoever still has the object goes on as before. */
  release(): void {
    this.#value ??= this.#copyOfStored();
    this.#reader = undefined;
    this.#letGo();
  }

  /** Moves the bytes once more where that lets memory go. */
  settle(): void {
    if (this.#value !== undefined && this.#slabs?.isSparse(this.#value) === true)
      this.#replace(this.#value, this.#value);
  }

  /** Bytes that it takes in memory, or would take, roughly. */
  get size(): number {
    return this.#size;
  }

  /**
   * Whether the store holds exactly these bytes of an object with these canonical ones, so that writing them would change
   * nothing. An object in another form is written though nothing in it has changed: that is how a store is brought up to date.
   */
  isStoredAs(stored: Uint8Array, canonical: Uint8Array): boolean {
    const value = this.#value ?? this.#stored();
    if (!this.#canonical) return Buffer.compare(stored, value) === 0;
    return Buffer.compare(canonical, value) === 0 && storedForm(stored, canonical) === this.#form;
  }

  /** A fresh decoded copy, with its resourceVersion; the caller owns it. */
  decode(): KubernetesObject {
    // Out of the served bytes, so that the resourceVersion stands where it is written.
    return this.#codec.decode(this.revision === 0 ? this.canonical : this.json());
  }

  /** What label selectors look at. */
  get labels(): Readonly<Record<string, string>> {
    this.#labels ??= this.#codec.labels(this.canonical);
    return this.#labels;
  }

  /** What field selectors look at. */
  get fields(): Readonly<Record<string, string>> {
    this.#fields ??= this.#codec.fields(this.canonical);
    return this.#fields;
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

  /** Writes the served JSON at `offset`, answers the offset after it. */
  writeJson(target: Uint8Array, offset: number): number {
    const bytes = this.canonical;
    return this.#write(bytes, target, offset, 0, bytes.length);
  }

  /** Writes the object as a list shows it, without kind and apiVersion. */
  writeListItem(target: Uint8Array, offset: number): number {
    const bytes = this.canonical;
    target[offset] = OPEN_BRACE;
    return this.#write(bytes, target, offset + 1, this.#codec.head.length, bytes.length);
  }

  /** The served JSON of the object's metadata alone. */
  metadataJson(): Buffer {
    const bytes = this.canonical;
    const start = endOfValue(bytes, this.#codec.metadataOffset(bytes)) + 1;
    const end = endOfValue(bytes, start);
    const target = Buffer.allocUnsafe(end - start + this.#versionLength());
    this.#write(bytes, target, 0, start, end);
    return target;
  }

  /** The canonical bytes from one offset to another, between which the resourceVersion is. */
  #write(bytes: Uint8Array, target: Uint8Array, offset: number, from: number, to: number): number {
    const splice = this.#splice();
    target.set(bytes.subarray(from, splice), offset);
    const at = this.#writeVersion(target, offset + splice - from);
    target.set(bytes.subarray(splice, to), at);
    return at + to - splice;
  }

  #replace(old: Uint8Array, value: Uint8Array): void {
    this.#slabs?.release(old);
    this.#value = this.#slabs?.copy(value) ?? value;
    this.#size = value.length;
  }

  #letGo(): void {
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
    const splice = this.#codec.spliceOffset(bytes);
    this.#comma = bytes[splice] !== CLOSE_BRACE ? 'after' : bytes[splice - 1] === OPEN_BRACE ? 'none' : 'before';
    this.#spliceOffset = splice;
    return splice;
  }

  #versionLength(): number {
    this.#splice();
    if (this.revision === 0) return 0;
    return VERSION.length + digitsOf(this.revision) + (this.#comma === 'none' ? 1 : 2);
  }

  /** Digit by digit: the text of it would be garbage, or kept, for every object of every list. */
  #writeVersion(target: Uint8Array, offset: number): number {
    if (this.revision === 0) return offset;
    const comma = this.#comma;
    let at = offset;
    if (comma === 'before') target[at++] = COMMA;
    target.set(VERSION, at);
    const end = at + VERSION.length + digitsOf(this.revision);
    at = end;
    for (let rest = this.revision; rest > 0; rest = Math.floor(rest / 10)) target[--at] = ZERO + (rest % 10);
    target[end] = QUOTE;
    if (comma !== 'after') return end + 1;
    target[end + 1] = COMMA;
    return end + 2;
  }
}

function digitsOf(number: number): number {
  let digits = 1;
  for (let limit = 10; number >= limit; limit *= 10) digits++;
  return digits;
}
