import { convert } from '@binnacle/api/conversion';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { isObject, type JsonValue, type Outline, outlineJson, outlineOf, parseJson } from '@binnacle/apimachinery/json';
import type { Convert, VersionedObject } from '@binnacle/apimachinery/managedfields';
import { isEnvelope, JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { StorageCodec } from '../storage/index.js';
import type { KindCodec } from './kind-codec.js';
import { formFingerprint } from './form-fingerprint.js';
import { labelsOf, versionOffset } from './metadata-scan.js';
import { protobufCodec } from './lazy-codec.js';
import { documentLoading, readStoredDocument } from './stored-document.js';
import type { StorageMediaType } from './storage-media-type.js';

const textDecoder = new TextDecoder();
/** No stored integer of 16 digits or more: then JSON.parse loses nothing. Canonical bytes have one of these before a number. */
const LONG_DIGITS = /[:[,]-?[0-9]{16}/;

export interface VersionSetOptions {
  /** The version that objects are stored in, and the one that all rules are written for. */
  readonly storage: KindCodec;
  /** Every version in which a stored value may be, by apiVersion; includes the storage version. */
  readonly versions: ReadonlyMap<string, KindCodec>;
  /** Of a version that nobody is served any more, and that another server may have stored; undefined for an unknown one. */
  readonly retired?: (apiVersion: string) => KindCodec | undefined;
  readonly selectableFields: (object: Readonly<KubernetesObject>) => Readonly<Record<string, string>>;
  /** The members that {@link selectableFields} looks at, as dotted paths. Absent: any, so that objects are decoded whole for it. */
  readonly selectablePaths?: readonly string[] | undefined;
  /** Identifies the code of this server in {@link VersionSet.fingerprint}. Default: the digest that the build computed. */
  readonly code?: string;
  /** Protobuf only for kinds that have such a form. Default: JSON. */
  readonly mediaType?: StorageMediaType;
}

/** An object that is read from the store, in the version that it was stored in. */
interface Read {
  readonly object: KubernetesObject;
  readonly codec: KindCodec;
}

/** All versions of one kind around the one that is stored. */
export class VersionSet implements StorageCodec {
  readonly storage: KindCodec;
  readonly head: Uint8Array;
  /** Every version that the kind has. */
  readonly apiVersions: ReadonlySet<string>;
  readonly #options: VersionSetOptions;
  readonly #writesProtobuf: boolean;
  readonly #selectable: Outline | undefined;
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

  /** What canonical bytes depend on beside the code of this server and its table. */
  protected form(): unknown {
    return { apiVersion: this.storage.apiVersion, kind: this.storage.groupVersionKind.kind };
  }

  fields(canonical: Uint8Array): Readonly<Record<string, string>> {
    const seen = this.#selectable;
    const object = seen === undefined ? this.decode(canonical) : objectOf(outlineJson(canonical, seen));
    return this.#options.selectableFields(object);
  }

  labels(canonical: Uint8Array): Readonly<Record<string, string>> {
    return labelsOf(canonical, this.metadataOffset(canonical));
  }

  encode(object: Readonly<KubernetesObject>): Uint8Array {
    return this.storage.encode(withoutVersion(object));
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

  canonicalize(value: Uint8Array): Uint8Array {
    const { object, codec } = isEnvelope(value) ? this.#readMessage(value) : this.#readDocument(value);
    codec.applyDefaults(object);
    return this.encode(this.toStorage(object, codec));
  }

  #readDocument(value: Uint8Array): Read {
    const document = readStoredDocument(value);
    const codec = this.#storedCodec(isObject(document) ? document.apiVersion : undefined);
    return { object: codec.decodeStored?.(document) ?? codec.decode(document).object, codec };
  }

  #readMessage(value: Uint8Array): Read {
    const { apiVersion, kind, raw } = protobufCodec.code.readEnvelope(value);
    const codec = this.#storedCodec(apiVersion);
    // The message does not say what it is, and would be taken for whatever it is read as.
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

  /** From a served version to the stored one; may answer the same object. */
  toStorage(object: KubernetesObject, from: KindCodec): KubernetesObject {
    return this.convert(object, from, this.storage);
  }

  /** From the stored version to a served one; may answer the same object. */
  fromStorage(object: KubernetesObject, to: KindCodec): KubernetesObject {
    return this.convert(object, this.storage, to);
  }

  /**
   * The object in another of its versions, decoded; undefined when its kind does not have that one. The object itself names its
   * version, and need not have been decoded: throws DecodeError then.
   */
  inVersion(object: Readonly<KubernetesObject>, apiVersion: string): VersionedObject | undefined {
    const { versions } = this.#options;
    const from = versions.get(object.apiVersion);
    const to = versions.get(apiVersion);
    if (from === undefined || to === undefined) return undefined;
    const { object: decoded } = from.decode(asJson(object));
    return { object: this.fromStorage(this.toStorage(decoded, from), to), schema: to.schema };
  }

  /**
   * What `work` makes of an object with the help of its other versions. Where those have to be waited for it is run again, so
   * that it must have no effects.
   */
  converting<T>(work: (convert: Convert) => T | Promise<T>): T | Promise<T> {
    return work((object, apiVersion) => this.inVersion(object, apiVersion));
  }

  /** May answer the same object. */
  protected convert(object: KubernetesObject, from: KindCodec, to: KindCodec): KubernetesObject {
    if (from === to) return object;
    return convert(asJson(object), from.groupVersionKind, to.groupVersionKind) as unknown as KubernetesObject;
  }
}

/** Of the text of canonical bytes. */
function objectOf(text: string): KubernetesObject {
  const value: unknown = LONG_DIGITS.test(text) ? parseJson(text).value : JSON.parse(text);
  return value as KubernetesObject;
}

function withoutVersion(object: Readonly<KubernetesObject>): KubernetesObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
