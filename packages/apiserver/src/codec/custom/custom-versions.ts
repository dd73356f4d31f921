import { deepCopy, stringifyJson } from '@binnacle/apimachinery/json';
import { type Convert, VersionError, type VersionedObject } from '@binnacle/apimachinery/managedfields';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { CustomCodec } from './custom-codec.js';
import type { KindCodec } from '../kind-codec.js';
import { metadataOffset, sortedVersionOffset } from '../metadata-scan.js';
import { type DocumentMediaType, documentWriting, writeStoredDocument } from '../stored-document.js';
import { VersionSet } from '../version-set.js';

/** What a list leaves out of its items: nothing but the brace that it writes itself. */
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
  /** In which encoding objects are written. Default: JSON. */
  readonly storageMediaType?: DocumentMediaType;
}

/** Upstream knows no version that is gone here, and so neither applies nor tracks what it finds of one: `crConverter`. */
function goneVersion(apiVersion: string): VersionError {
  return new VersionError(`request to convert CR to an invalid group/version: ${apiVersion}`);
}

/** What is common to the versions of all kinds whose documents have no type: sorted keys. */
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
 * The versions of a custom kind that converts by name alone: one object, seen through several schemas. Objects bear the
 * storage version whatever version they came in, and keep what that one does not know until they are written.
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
    if (this.#versions.size === 1) return super.encode(object);
    const document = deepCopy(asJson(object));
    this.#storage.prune(document);
    const stored = document as unknown as KubernetesObject;
    // An object that came in another version lacks these. Upstream adds them whenever it reads one.
    this.#storage.applyDefaults(stored);
    return super.encode(stored);
  }

  override inVersion(object: Readonly<KubernetesObject>, apiVersion: string): VersionedObject | undefined {
    const versioned = super.inVersion(object, apiVersion);
    if (versioned === undefined) throw goneVersion(apiVersion);
    return versioned;
  }

  protected override convert(object: KubernetesObject, from: KindCodec, to: KindCodec): KubernetesObject {
    if (from === to || object.apiVersion !== from.apiVersion) return object;
    if (to === this.#storage) return { ...object, apiVersion: to.apiVersion };
    const converted = { ...deepCopy(asJson(object)), apiVersion: to.apiVersion };
    this.#versions.get(to.apiVersion)?.prune(converted);
    return converted as unknown as KubernetesObject;
  }
}

/**
 * What a value begins with whose object the store has in another form than it would be written in: white space, so that it
 * is not canonical, and a write that changes nothing is written.
 */
export const OUTDATED_VALUE: Uint8Array = Buffer.from(' ');

export interface ConvertedVersionsOptions extends UntypedVersionsOptions {
  /** The same object in another of the versions. */
  readonly convertTo: (object: Readonly<KubernetesObject>, to: CustomCodec) => Promise<KubernetesObject>;
}

/** Somebody has asked for a conversion whose answer is not there yet. */
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
 * One version of a custom kind whose versions something else converts, and that takes time. Here `storage` is that one version:
 * values come in it, canonical, and go in it.
 */
export class ConvertedVersions extends UntypedVersions {
  readonly #options: ConvertedVersionsOptions;

  constructor(options: ConvertedVersionsOptions) {
    super(options);
    this.#options = options;
  }

  /** The converter decides what values are, and it does not say when it changes its mind. */
  override get fingerprint(): undefined {
    return undefined;
  }

  override canonicalize(value: Uint8Array): Uint8Array {
    return value[0] === OUTDATED_VALUE[0] ? value.subarray(OUTDATED_VALUE.length) : value;
  }

  /** Runs `work`, which has no effects, again whenever it has asked for an object that had to be waited for. */
  override async converting<T>(work: (convert: Convert) => T | Promise<T>): Promise<T> {
    const known = new Map<string, VersionedObject | VersionError>();
    const convert: Convert = (object, apiVersion) => {
      const codec = this.#options.versions.get(apiVersion);
      if (codec === undefined) throw goneVersion(apiVersion);
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

  /** As upstream has it, managers in versions that cannot be had are forgotten by an update, and refuse an apply. */
  async #answer({ object, codec }: ConversionWanted): Promise<VersionedObject | VersionError> {
    try {
      return { object: await this.#options.convertTo(object, codec), schema: codec.schema };
    } catch (error) {
      return new VersionError(error instanceof Error ? error.message : String(error));
    }
  }
}
