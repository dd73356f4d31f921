import type { JsonObject } from '@binnacle/apimachinery/json';
import type { GroupVersionKind, KubernetesObject } from '@binnacle/apimachinery/meta';
import type { AdmissionAttributes } from './plugin.js';

/** The new and the old object of a request in one form; undefined where the request has no such object. */
interface NewAndOld<T> {
  readonly object: T | undefined;
  readonly oldObject: T | undefined;
}

/** The objects of a request as JSON. */
export type EncodedObjects = NewAndOld<Uint8Array>;

/** The objects of a request as documents, which must not change. */
export type ObjectDocuments = NewAndOld<JsonObject>;

/**
 * The objects of one request in the versions that webhooks or policies ask for. Each has one encoding and one document
 * in each version, and all that ask share them. A failed conversion fails for each of them.
 */
export class RequestObjects {
  readonly #attributes: AdmissionAttributes;
  readonly #old: ShownObject | undefined;
  #new: ShownObject | undefined;

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
    this.#old = shown(attributes.oldObject, attributes);
    this.#new = shown(attributes.object, attributes);
  }

  /** Call it when the object of the request has changed. */
  changed(): void {
    this.#new = shown(this.#attributes.object, this.#attributes);
  }

  /** Rejects with a StatusError if an object has no such version. */
  async encoded(kind: GroupVersionKind): Promise<EncodedObjects> {
    return { object: await this.#new?.bytes(kind), oldObject: await this.#old?.bytes(kind) };
  }

  /**
   * The new object as a document, which must not change; undefined if the request has none. Fails like
   * {@link documents}.
   */
  document(kind: GroupVersionKind): JsonObject | undefined | Promise<JsonObject> {
    return this.#new?.document(kind);
  }

  /**
   * Throws or rejects with a StatusError if an object has no such version. Returns a promise only if an object is large
   * or a webhook converts it.
   */
  documents(kind: GroupVersionKind): ObjectDocuments | Promise<ObjectDocuments> {
    const object = this.#new?.document(kind);
    if (object instanceof Promise) return this.#documentsLater(object, kind);
    const oldObject = this.#old?.document(kind);
    return oldObject instanceof Promise ? oldObject.then((old) => ({ object, oldObject: old })) : { object, oldObject };
  }

  async #documentsLater(pending: Promise<JsonObject>, kind: GroupVersionKind): Promise<ObjectDocuments> {
    const object = await pending;
    return { object, oldObject: await this.#old?.document(kind) };
  }
}

type MaybeLater<T> = T | Promise<T>;

/** One object in the versions that were asked for. */
class ShownObject {
  readonly #object: Readonly<KubernetesObject>;
  readonly #versions: AdmissionAttributes['versions'];
  readonly #bytes = new Map<string, MaybeLater<Uint8Array>>();
  readonly #documents = new Map<string, MaybeLater<JsonObject>>();

  constructor(object: Readonly<KubernetesObject>, versions: AdmissionAttributes['versions']) {
    this.#object = object;
    this.#versions = versions;
  }

  bytes(kind: GroupVersionKind): MaybeLater<Uint8Array> {
    return remembered(this.#bytes, kind, () => this.#versions.encode(this.#object, kind));
  }

  document(kind: GroupVersionKind): MaybeLater<JsonObject> {
    return remembered(this.#documents, kind, () => this.#versions.document(this.#object, kind));
  }
}

function shown(
  object: Readonly<KubernetesObject> | undefined,
  { versions }: AdmissionAttributes,
): ShownObject | undefined {
  return object && new ShownObject(object, versions);
}

function remembered<T>(
  known: Map<string, MaybeLater<T>>,
  { group, version, kind }: GroupVersionKind,
  make: () => MaybeLater<T>,
): MaybeLater<T> {
  const key = `${group}/${version}/${kind}`;
  let found = known.get(key);
  if (found === undefined) {
    found = make();
    known.set(key, found);
  }
  return found;
}
