import { resources, type ResourceFacts, storedPrefix } from '@binnacle/api/table';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { GroupKind, GroupResource } from '@binnacle/apimachinery/meta';
import { encodeUntyped, JSON_MEDIA_TYPE, PROTOBUF_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { builtInVersions, type VersionSet, writeStoredDocument } from '../codec/index.js';
import { objectKey } from '../registry/index.js';

/** A custom resource: where its objects are. */
export interface StoredPlace {
  readonly resource: GroupResource;
  readonly namespaced: boolean;
}

export interface StoredForm {
  /** With the default prefix of the store. */
  readonly key: string;
  readonly value: Uint8Array;
}

/** The keys and bytes under which kube-apiserver stores objects by default. */
export class StoredForms {
  readonly #clock: Clock;
  readonly #versions = new Map<ResourceFacts, VersionSet>();

  /** `clock`: for defaults that are the current time. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The resource of a built-in kind that is stored; undefined for other kinds. */
  builtIn({ group, kind }: GroupKind): ResourceFacts | undefined {
    return resources().find((facts) => facts.group === group && facts.kind === kind && facts.etcdPrefix !== undefined);
  }

  /**
   * An object of a built-in kind, in any version that can be converted, in the version in which it is stored. Rejects with an Error when the object
   * cannot be decoded.
   */
  async ofBuiltIn(facts: ResourceFacts, object: JsonObject, namespace: string, name: string): Promise<StoredForm> {
    const versions = this.#versionsOf(facts);
    await versions.beforeWriting();
    const canonical = versions.canonicalize(encodeUntyped(object));
    return { key: keyOf(facts, facts.namespaced, namespace, name), value: versions.toStored(canonical) };
  }

  /** A custom resource, in the version that the object has. */
  ofCustom({ resource, namespaced }: StoredPlace, object: JsonObject, namespace: string, name: string): StoredForm {
    const value = writeStoredDocument(encodeUntyped(object), JSON_MEDIA_TYPE);
    return { key: keyOf(resource, namespaced, namespace, name), value };
  }

  #versionsOf(facts: ResourceFacts): VersionSet {
    const known = this.#versions.get(facts);
    if (known !== undefined) return known;
    const { versions } = builtInVersions(facts, {
      storageMediaType: PROTOBUF_MEDIA_TYPE,
      clock: this.#clock,
      selectableFields: () => ({}),
    });
    this.#versions.set(facts, versions);
    return versions;
  }
}

const keyOf = (resource: GroupResource, namespaced: boolean, namespace: string, name: string): string =>
  objectKey({ namespaced, prefix: storedPrefix(resource) }, namespace, name);
