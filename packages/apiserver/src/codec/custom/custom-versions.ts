import { messageOf } from '@binnacle/apimachinery/errors';
import { deepCopy, deepCopyInSteps, type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { type Convert, VersionError, type VersionedObject } from '@binnacle/apimachinery/managedfields';
import { asJson, asObject, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { Steps } from '@binnacle/apimachinery/work';
import type { CustomCodec } from './custom-codec.js';
import type { KindCodec } from '../kind-codec.js';
import { metadataOffset, sortedVersionOffset } from '../metadata-scan.js';
import { type DocumentMediaType, documentWriting, writeStoredDocument } from '../stored-document.js';
import { VersionSet } from '../version-set.js';

/** The head that a list writes for its items: only the brace. */
const BRACE = Buffer.from('{');

interface UntypedVersionsOptions {
  readonly storage: CustomCodec;
  /** By apiVersion. */
  readonly versions: ReadonlyMap<string, CustomCodec>;
  readonly selectableFields: (object: Readonly<KubernetesObject>) => Readonly<Record<string, string>>;
  /** See VersionSetOptions. */
  readonly selectablePaths?: readonly string[] | undefined;
}

export interface CustomVersionsOptions extends UntypedVersionsOptions {
  /** The encoding of written objects. Default: JSON. */
  readonly storageMediaType?: DocumentMediaType;
}

/** Upstream no longer knows removed versions, so that it neither applies nor tracks their fields: `crConverter`. */
function unknownVersion(apiVersion: string): VersionError {
  return new VersionError(`request to convert CR to an invalid group/version: ${apiVersion}`);
}

/** The versions of an untyped kind, whose documents have sorted keys. */
abstract class UntypedVersions extends VersionSet {
  declare readonly storage: CustomCodec;
  readonly #guess: number;

  constructor(options: UntypedVersionsOptions) {
    super(options);
    const { groupVersionKind, apiVersion } = options.storage;
    const { kind } = groupVersionKind;
    this.#guess = Buffer.byteLength(`{"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)},`);
  }

  override metadataOffset(canonical: Uint8Array): number {
    return metadataOffset(canonical, this.#guess);
  }

  override spliceOffset(canonical: Uint8Array): number {
    return sortedVersionOffset(canonical, this.metadataOffset(canonical));
  }

  protected override headOf(): Uint8Array {
    return BRACE;
  }
}

/**
 * The versions of a custom kind without a conversion webhook: one object, seen through several schemas. Stored
 * objects have the storage version as apiVersion, and keep fields that it does not know until they are written.
 */
export class CustomVersions extends UntypedVersions {
  readonly #versions: ReadonlyMap<string, CustomCodec>;
  readonly #storage: CustomCodec;
  readonly #storageMediaType: DocumentMediaType;

  constructor(options: CustomVersionsOptions) {
    super(options);
    this.#storage = options.storage;
    this.#versions = options.versions;
    this.#storageMediaType = options.storageMediaType ?? JSON_MEDIA_TYPE;
  }

  protected override form(): unknown {
    return { ...(super.form() as object), versions: [...this.#versions.values()].map((codec) => codec.form) };
  }

  override beforeWriting(): Promise<void> | undefined {
    return documentWriting(this.#storageMediaType);
  }

  override toStored(canonical: Uint8Array): Uint8Array {
    return writeStoredDocument(canonical, this.#storageMediaType);
  }

  override encode(object: Readonly<KubernetesObject>): Uint8Array {
    return super.encode(this.#versions.size === 1 ? object : this.#toWrite(deepCopy(asJson(object))));
  }

  override *encodeInSteps(object: Readonly<KubernetesObject>): Steps<Uint8Array> {
    if (this.#versions.size === 1) return yield* super.encodeInSteps(object);
    const copy = yield* deepCopyInSteps(asJson(object));
    yield;
    const stored = this.#toWrite(copy);
    yield;
    return yield* super.encodeInSteps(stored);
  }

  #toWrite(copy: JsonObject): KubernetesObject {
    this.#storage.prune(copy);
    const stored = asObject(copy);
    // An object from another version lacks these defaults. Upstream adds them on every read.
    this.#storage.applyDefaults(stored);
    return stored;
  }

  override inVersion(object: Readonly<KubernetesObject>, apiVersion: string): VersionedObject | undefined {
    const versioned = super.inVersion(object, apiVersion);
    if (versioned === undefined) throw unknownVersion(apiVersion);
    return versioned;
  }

  protected override convert(object: KubernetesObject, from: KindCodec, to: KindCodec): KubernetesObject {
    if (from === to || object.apiVersion !== from.apiVersion) return object;
    if (to === this.#storage) return { ...object, apiVersion: to.apiVersion };
    const converted = { ...deepCopy(asJson(object)), apiVersion: to.apiVersion };
    this.#versions.get(to.apiVersion)?.prune(converted);
    return asObject(converted);
  }
}

/**
 * Prefixes a value whose stored form differs from the form that a write would give it. Whitespace makes the value
 * non-canonical, so that even a write without changes is stored.
 */
export const OUTDATED_VALUE: Uint8Array = Buffer.from(' ');

export interface ConvertedVersionsOptions extends UntypedVersionsOptions {
  /** The object in another version. */
  readonly convertTo: (object: Readonly<KubernetesObject>, to: CustomCodec) => Promise<KubernetesObject>;
}

/** A conversion is needed and has to be waited for. */
class ConversionWanted extends Error {
  readonly object: Readonly<KubernetesObject>;
  readonly codec: CustomCodec;
  readonly id: string;
  constructor(object: Readonly<KubernetesObject>, codec: CustomCodec, id: string) {
    super(`${object.apiVersion} is wanted as ${codec.apiVersion}`);
    this.object = object;
    this.codec = codec;
    this.id = id;
  }
}

/**
 * One version of a custom kind with a conversion webhook. `storage` is that version, not the one of the store: the store
 * below converts, and passes values in this version, in canonical form.
 */
export class ConvertedVersions extends UntypedVersions {
  readonly #options: ConvertedVersionsOptions;

  constructor(options: ConvertedVersionsOptions) {
    super(options);
    this.#options = options;
  }

  /** Unknown: the webhook decides the values, and can change at any time. */
  override get fingerprint(): undefined {
    return undefined;
  }

  override canonicalize(value: Uint8Array): Uint8Array {
    return value[0] === OUTDATED_VALUE[0] ? value.subarray(OUTDATED_VALUE.length) : value;
  }

  /** Runs `work` again after each conversion that it had to wait for. It must have no side effects. */
  override async converting<T>(work: (convert: Convert) => T | Promise<T>): Promise<T> {
    const known = new Map<string, VersionedObject | VersionError>();
    const convert: Convert = (object, apiVersion) => {
      const codec = this.#options.versions.get(apiVersion);
      if (codec === undefined) throw unknownVersion(apiVersion);
      if (object.apiVersion === apiVersion) return { object, schema: codec.schema };
      const id = `${apiVersion} ${stringifyJson(asJson(object))}`;
      const answer = known.get(id);
      if (answer === undefined) throw new ConversionWanted(object, codec, id);
      if (answer instanceof VersionError) throw answer;
      return answer;
    };
    for (;;) {
      try {
        return await work(convert);
      } catch (error) {
        if (!(error instanceof ConversionWanted)) throw error;
        known.set(error.id, await this.#answer(error));
      }
    }
  }

  /** A failed conversion is a VersionError. Like upstream, an update then drops the manager, and an apply fails. */
  async #answer({ object, codec }: ConversionWanted): Promise<VersionedObject | VersionError> {
    try {
      return { object: await this.#options.convertTo(object, codec), schema: codec.schema };
    } catch (error) {
      return new VersionError(messageOf(error));
    }
  }
}
