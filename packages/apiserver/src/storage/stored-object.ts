import { endOfValue } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Steps } from '@binnacle/apimachinery/work';
import type { ValueReader } from '@binnacle/kv';
import { StorageError } from './errors.js';
import { type StoredParts, StoredValue } from './stored-value.js';
import type { UnreadableObject } from './unreadable.js';
import { type Comma, commaAt, versionLength, writeVersion } from './version-member.js';

const OPEN_BRACE = 0x7b;

/**
 * One version of one object as it is served: its JSON with the resourceVersion, and values computed from the bytes once.
 * Immutable to its users, and shared by the cache, lists, watches and the store.
 */
export class StoredObject extends StoredValue {
  /** Where the resourceVersion goes in the canonical bytes; -1 = not known yet. */
  #spliceOffset = -1;
  #comma: Comma = 'after';
  /** The length of its protobuf message as a list item, once measured. */
  messageLength: number | undefined;
  #labels: Readonly<Record<string, string>> | undefined;
  #fields: Readonly<Record<string, string>> | undefined;

  /**
   * An object whose bytes stay in the store, canonical or not; see {@link readFrom}. The value of `parts` need be valid
   * only during the call.
   */
  static readingFrom(reader: ValueReader, parts: StoredParts): StoredObject {
    const object = new StoredObject(parts);
    if (parts.isCanonical) object.#splice();
    object.leaveIn(reader);
    return object;
  }

  /** The same content with another revision: what a watch shows of a deleted object. */
  withRevision(revision: number): StoredObject {
    const { codec, key } = this;
    const copy = new StoredObject({ codec, key, revision, value: this.lastingValue(), isCanonical: true });
    copy.takeForm(this);
    copy.#spliceOffset = this.#spliceOffset;
    copy.#comma = this.#comma;
    copy.#labels = this.#labels;
    copy.#fields = this.#fields;
    return copy;
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

  /** Whether {@link prepare} would still compute something. */
  get isUnprepared(): boolean {
    return this.#spliceOffset < 0;
  }

  override readFrom(reader: ValueReader): boolean {
    // Finds the place of the resourceVersion while the bytes are still in memory.
    if (this.isStoredCanonically) this.#splice();
    return super.readFrom(reader);
  }

  /** A new decoded copy with its resourceVersion; the caller owns it. */
  decode(): KubernetesObject {
    // Decoding the served bytes puts the resourceVersion in its place.
    return this.codec.decode(this.#served());
  }

  /** {@link decode} in steps. */
  decodeInSteps(): Steps<KubernetesObject> {
    return this.codec.decodeInSteps(this.#served());
  }

  #served(): Uint8Array {
    return this.revision === 0 ? this.canonical : this.json();
  }

  /** The labels, for label selectors. */
  get labels(): Readonly<Record<string, string>> {
    this.#labels ??= this.codec.labels(this.canonical);
    return this.#labels;
  }

  /** The selectable fields, for field selectors. */
  get fields(): Readonly<Record<string, string>> {
    this.#fields ??= this.codec.fields(this.canonical);
    return this.#fields;
  }

  /** One of the {@link fields} whose value is the string at its own path. Unlike those, it is not kept. */
  field(path: string): string {
    return this.#fields?.[path] ?? this.codec.field(this.canonical, path);
  }

  /** Size of {@link writeJson}. */
  get jsonLength(): number {
    const version = this.#versionLength();
    return this.size + version;
  }

  /** Size of {@link writeListItem}. */
  get listItemLength(): number {
    return this.jsonLength - this.codec.head.length + 1;
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
    return this.#write(bytes, target, offset + 1, this.codec.head.length, bytes.length);
  }

  /** The served JSON of the object's metadata only. */
  metadataJson(): Buffer {
    const bytes = this.canonical;
    const start = endOfValue(bytes, this.codec.metadataOffset(bytes)) + 1;
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

  #splice(): number {
    if (this.#spliceOffset >= 0) return this.#spliceOffset;
    const bytes = this.canonical;
    const splice = this.decoded(() => this.codec.spliceOffset(bytes));
    this.#comma = commaAt(bytes, splice);
    this.#spliceOffset = splice;
    return splice;
  }

  #versionLength(): number {
    this.#splice();
    return versionLength(this.revision, this.#comma);
  }
}
