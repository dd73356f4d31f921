import { convert } from '@binnacle/api/conversion';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { isObject, parseJson } from '@binnacle/apimachinery/json';
import type { Convert, VersionedObject } from '@binnacle/apimachinery/managedfields';
import type { StorageCodec } from '../storage/index.js';
import type { KindCodec } from './kind-codec.js';
import { labelsOf, versionOffset } from './metadata-scan.js';

const textDecoder = new TextDecoder();
/** No stored integer of 16 digits or more: then JSON.parse loses nothing. */
const LONG_DIGITS = /[0-9]{16}/;

export interface VersionSetOptions {
  /** The version that objects are stored in, and the one that all rules are written for. */
  readonly storage: KindCodec;
  /** Every version in which a stored value may be, by apiVersion; includes the storage version. */
  readonly versions: ReadonlyMap<string, KindCodec>;
  /** Of a version that nobody is served any more, and that another server may have stored; undefined for an unknown one. */
  readonly retired?: (apiVersion: string) => KindCodec | undefined;
  readonly selectableFields: (object: Readonly<KubernetesObject>) => Readonly<Record<string, string>>;
}

/** All versions of one kind around the one that is stored. */
export class VersionSet implements StorageCodec {
  readonly storage: KindCodec;
  readonly head: Uint8Array;
  /** Every version that the kind has. */
  readonly apiVersions: ReadonlySet<string>;
  readonly #options: VersionSetOptions;

  constructor(options: VersionSetOptions) {
    this.#options = options;
    this.apiVersions = new Set(options.versions.keys());
    this.storage = options.storage;
    this.head = this.headOf(options.storage);
  }

  selectableFields(object: Readonly<KubernetesObject>): Readonly<Record<string, string>> {
    return this.#options.selectableFields(object);
  }

  labels(canonical: Uint8Array): Readonly<Record<string, string>> {
    return labelsOf(canonical, this.head.length);
  }

  encode(object: Readonly<KubernetesObject>): Uint8Array {
    const { resourceVersion: _, ...metadata } = object.metadata;
    return this.storage.encode({ ...object, metadata });
  }

  decode(canonical: Uint8Array): KubernetesObject {
    const text = textDecoder.decode(canonical);
    const value: unknown = LONG_DIGITS.test(text) ? parseJson(text).value : JSON.parse(text);
    return value as KubernetesObject;
  }

  canonicalize(value: Uint8Array): Uint8Array {
    const parsed = parseJson(value);
    const apiVersion = isObject(parsed.value) ? parsed.value.apiVersion : undefined;
    const codec = typeof apiVersion === 'string' ? this.#storedCodec(apiVersion) : undefined;
    if (codec === undefined) {
      throw new Error(`stored object has apiVersion ${JSON.stringify(apiVersion)}, which this server cannot read`);
    }
    const object = codec.decodeStored?.(parsed.value) ?? codec.decode(parsed.value).object;
    codec.applyDefaults(object);
    return this.encode(this.toStorage(object, codec));
  }

  #storedCodec(apiVersion: string): KindCodec | undefined {
    const { versions, retired } = this.#options;
    return versions.get(apiVersion) ?? retired?.(apiVersion);
  }

  spliceOffset(canonical: Uint8Array): number {
    return versionOffset(canonical, this.head.length);
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
  converting<T>(work: (convert: Convert) => T): T | Promise<T> {
    return work((object, apiVersion) => this.inVersion(object, apiVersion));
  }

  /** May answer the same object. */
  protected convert(object: KubernetesObject, from: KindCodec, to: KindCodec): KubernetesObject {
    if (from === to) return object;
    return convert(asJson(object), from.groupVersionKind, to.groupVersionKind) as unknown as KubernetesObject;
  }
}
