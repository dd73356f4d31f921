import { convert } from '@binnacle/api/conversion';
import { asJson, asObject, type KubernetesObject } from '@binnacle/apimachinery/meta';
import {
  isObject,
  type JsonValue,
  type MemberPath,
  memberPath,
  type Outline,
  outlineJson,
  outlineOf,
  parseJson,
  parseJsonInSteps,
  stringAt,
  unstructuredDetails,
} from '@binnacle/apimachinery/json';
import type { Convert, VersionedObject } from '@binnacle/apimachinery/managedfields';
import { isEnvelope, JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { Steps } from '@binnacle/apimachinery/work';
import type { StorageCodec } from '../storage/index.js';
import type { KindCodec } from './kind-codec.js';
import { formFingerprint } from './form-fingerprint.js';
import { labelsOf, versionOffset } from './metadata-scan.js';
import { protobufCodec } from './lazy-codec.js';
import { documentLoading, readStoredDocument } from './stored-document.js';
import type { StorageMediaType } from './storage-media-type.js';

/** From this length on an object is decoded in steps. JSON.parse is faster, and takes milliseconds then. */
const LONG_BYTES = 128 * 1024;
const textDecoder = new TextDecoder();
/**
 * Matches stored integers of 16 or more digits. JSON.parse is exact for shorter ones. In canonical bytes, one of
 * these characters precedes a number.
 */
const LONG_DIGITS = /[:[,]-?[0-9]{16}/;

export interface VersionSetOptions {
  /** The version in which objects are stored, and for which all rules are written. */
  readonly storage: KindCodec;
  /** Every version that a stored value may have, by apiVersion; includes the storage version. */
  readonly versions: ReadonlyMap<string, KindCodec>;
  /** The codec of a version that is no longer served but may be stored; undefined for an unknown version. */
  readonly retired?: (apiVersion: string) => KindCodec | undefined;
  readonly selectableFields: (object: Readonly<KubernetesObject>) => Readonly<Record<string, string>>;
  /** The dotted paths that {@link selectableFields} reads. Absent: it decodes the whole object. */
  readonly selectablePaths?: readonly string[] | undefined;
  /** Identifies the code of this server in {@link VersionSet.fingerprint}. Default: the digest that the build computed. */
  readonly code?: string;
  /** Protobuf is only for kinds that have a protobuf form. Default: JSON. */
  readonly mediaType?: StorageMediaType | undefined;
}

/** An object from the store, in the version in which it was stored. */
interface Read {
  readonly object: KubernetesObject;
  readonly codec: KindCodec;
}

/** All versions of one kind, with the storage version in the middle. */
export class VersionSet implements StorageCodec {
  readonly storage: KindCodec;
  readonly head: Uint8Array;
  /** Every version of the kind. */
  readonly apiVersions: ReadonlySet<string>;
  readonly #options: VersionSetOptions;
  readonly #writesProtobuf: boolean;
  readonly #selectable: Outline | undefined;
  readonly #paths = new Map<string, MemberPath>();
  #fingerprint: number | undefined;

  constructor(options: VersionSetOptions) {
    this.#options = options;
    this.#writesProtobuf = (options.mediaType ?? JSON_MEDIA_TYPE) !== JSON_MEDIA_TYPE;
    this.apiVersions = new Set(options.versions.keys());
    this.#selectable = options.selectablePaths && outlineOf(options.selectablePaths);
    this.storage = options.storage;
    this.head = this.headOf(options.storage);
  }

  get fingerprint(): number | undefined {
    this.#fingerprint ??= formFingerprint(this.form(), this.#options.code);
    return this.#fingerprint;
  }

  /** What canonical bytes depend on, beside the server's code and table of facts. */
  protected form(): unknown {
    return { apiVersion: this.storage.apiVersion, kind: this.storage.groupVersionKind.kind };
  }

  fields(canonical: Uint8Array): Readonly<Record<string, string>> {
    const seen = this.#selectable;
    const object = seen === undefined ? this.decode(canonical) : objectOf(outlineJson(canonical, seen));
    return this.#options.selectableFields(object);
  }

  field(canonical: Uint8Array, path: string): string {
    let members = this.#paths.get(path);
    if (members === undefined) {
      members = memberPath(path);
      this.#paths.set(path, members);
    }
    return stringAt(canonical, members) ?? '';
  }

  labels(canonical: Uint8Array): Readonly<Record<string, string>> {
    return labelsOf(canonical, this.metadataOffset(canonical));
  }

  encode(object: Readonly<KubernetesObject>): Uint8Array {
    return this.storage.encode(withoutVersion(object));
  }

  encodeInSteps(object: Readonly<KubernetesObject>): Steps<Uint8Array> {
    return this.storage.encodeInSteps(withoutVersion(object));
  }

  toStored(canonical: Uint8Array): Uint8Array {
    const { storage } = this;
    if (!this.#writesProtobuf || storage.encodeMessage === undefined) return canonical;
    const message = storage.encodeMessage(canonical);
    return protobufCodec.code.wrapEnvelope(storage.apiVersion, storage.groupVersionKind.kind, message);
  }

  beforeWriting(): Promise<void> | undefined {
    return this.#writesProtobuf ? protobufCodec.loading() : undefined;
  }

  beforeReading(value: Uint8Array): Promise<void> | undefined {
    return isEnvelope(value) ? protobufCodec.loading() : documentLoading(value);
  }

  decode(canonical: Uint8Array): KubernetesObject {
    return objectOf(textDecoder.decode(canonical));
  }

  *decodeInSteps(canonical: Uint8Array): Steps<KubernetesObject> {
    if (canonical.length < LONG_BYTES) return this.decode(canonical);
    const { value }: { readonly value: unknown } = yield* parseJsonInSteps(canonical);
    return value as KubernetesObject;
  }

  canonicalize(value: Uint8Array): Uint8Array {
    const { object, codec } = isEnvelope(value) ? this.#readMessage(value) : this.#readDocument(value);
    codec.applyDefaults(object);
    return this.encode(this.toStorage(object, codec));
  }

  #readDocument(value: Uint8Array): Read {
    const document = readStoredDocument(value);
    const { apiVersion, kind } = isObject(document) ? document : {};
    const codec = this.#storedCodec(apiVersion);
    // A typed codec would read the fields that both kinds have.
    if (codec.untyped === undefined && (kind ?? '') !== '' && kind !== codec.groupVersionKind.kind) {
      throw new Error(`stored object has kind ${JSON.stringify(kind)}, which this server cannot read`);
    }
    return { object: codec.decodeStored(document), codec };
  }

  #readMessage(value: Uint8Array): Read {
    const { apiVersion, kind, raw } = protobufCodec.code.readEnvelope(value);
    const codec = this.#storedCodec(apiVersion);
    // A protobuf message does not state its kind, and would decode as any other.
    if (codec.decodeMessage === undefined || kind !== codec.groupVersionKind.kind) {
      throw new Error(`stored object is a ${kind} in protobuf, which this server cannot read`);
    }
    return { object: codec.decodeMessage(raw), codec };
  }

  #storedCodec(apiVersion: JsonValue | undefined): KindCodec {
    const { versions, retired } = this.#options;
    const codec = typeof apiVersion === 'string' ? (versions.get(apiVersion) ?? retired?.(apiVersion)) : undefined;
    if (codec !== undefined) return codec;
    throw new Error(`stored object has apiVersion ${JSON.stringify(apiVersion)}, which this server cannot read`);
  }

  metadataOffset(_canonical: Uint8Array): number {
    return this.head.length;
  }

  spliceOffset(canonical: Uint8Array): number {
    return versionOffset(canonical, this.metadataOffset(canonical));
  }

  protected headOf({ groupVersionKind, apiVersion }: KindCodec): Uint8Array {
    return Buffer.from(`{"kind":${JSON.stringify(groupVersionKind.kind)},"apiVersion":${JSON.stringify(apiVersion)},`);
  }

  /** Converts from a served version to the storage version; may return the same object. */
  toStorage(object: KubernetesObject, from: KindCodec): KubernetesObject {
    return this.convert(object, from, this.storage);
  }

  /** Converts from the storage version to a served one; may return the same object. */
  fromStorage(object: KubernetesObject, to: KindCodec): KubernetesObject {
    return this.convert(object, this.storage, to);
  }

  /**
   * The object in another version, decoded; undefined if its kind does not have that version. The object names its
   * own version and need not be decoded yet: then it may throw DecodeError.
   */
  inVersion(object: Readonly<KubernetesObject>, apiVersion: string): VersionedObject | undefined {
    const { versions } = this.#options;
    const from = versions.get(object.apiVersion);
    const to = versions.get(apiVersion);
    if (from === undefined || to === undefined) return undefined;
    const { object: decoded } = from.decode(asJson(object), unstructuredDetails);
    return { object: this.fromStorage(this.toStorage(decoded, from), to), schema: to.schema };
  }

  /**
   * Runs `work`, which may convert objects to other versions. If a conversion has to be waited for, `work` runs
   * again, so it must have no side effects.
   */
  converting<T>(work: (convert: Convert) => T | Promise<T>): T | Promise<T> {
    return work((object, apiVersion) => this.inVersion(object, apiVersion));
  }

  /** May return the same object. */
  protected convert(object: KubernetesObject, from: KindCodec, to: KindCodec): KubernetesObject {
    if (from === to) return object;
    return asObject(convert(asJson(object), from.groupVersionKind, to.groupVersionKind));
  }
}

/** Parses canonical bytes. */
function objectOf(text: string): KubernetesObject {
  const value: unknown = LONG_DIGITS.test(text) ? parseJson(text).value : JSON.parse(text);
  return value as KubernetesObject;
}

function withoutVersion(object: Readonly<KubernetesObject>): KubernetesObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
