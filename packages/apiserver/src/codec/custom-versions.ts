import { deepCopy } from '@binnacle/apimachinery/json';
import { VersionError, type VersionedObject } from '@binnacle/apimachinery/managedfields';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type { CustomCodec } from './custom-codec.js';
import type { KindCodec } from './kind-codec.js';
import { labelsOf, metadataOffset, sortedVersionOffset } from './metadata-scan.js';
import { VersionSet } from './version-set.js';

/** What a list leaves out of its items: nothing but the brace that it writes itself. */
const BRACE = Buffer.from('{');

export interface CustomVersionsOptions {
  readonly storage: CustomCodec;
  /** By apiVersion. */
  readonly versions: ReadonlyMap<string, CustomCodec>;
  readonly selectableFields: (object: Readonly<KubernetesObject>) => Readonly<Record<string, string>>;
}

/**
 * The versions of a custom kind that converts by name alone: one object, seen through several schemas. Objects bear the
 * storage version whatever version they came in, and keep what that one does not know until they are written.
 */
export class CustomVersions extends VersionSet {
  readonly #versions: ReadonlyMap<string, CustomCodec>;
  readonly #guess: number;
  readonly #storage: CustomCodec;

  constructor(options: CustomVersionsOptions) {
    super(options);
    this.#storage = options.storage;
    this.#versions = options.versions;
    const { groupVersionKind, apiVersion } = options.storage;
    const { kind } = groupVersionKind;
    this.#guess = Buffer.byteLength(`{"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)},`);
  }

  override labels(canonical: Uint8Array): Readonly<Record<string, string>> {
    return labelsOf(canonical, metadataOffset(canonical, this.#guess));
  }

  override spliceOffset(canonical: Uint8Array): number {
    return sortedVersionOffset(canonical, metadataOffset(canonical, this.#guess));
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

  protected override headOf(): Uint8Array {
    return BRACE;
  }

  /** Upstream knows no version that is gone here, and so neither applies nor tracks what it finds of one: `crConverter`. */
  override inVersion(object: Readonly<KubernetesObject>, apiVersion: string): VersionedObject | undefined {
    const versioned = super.inVersion(object, apiVersion);
    if (versioned === undefined) {
      throw new VersionError(`request to convert CR to an invalid group/version: ${apiVersion}`);
    }
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
