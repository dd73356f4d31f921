import { isObject, type JsonObject, parseJsonInSteps } from '@binnacle/apimachinery/json';
import type { GroupVersionKind, KubernetesObject } from '@binnacle/apimachinery/meta';
import { inSlices } from '../slices/index.js';
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
 * The objects of one request in the versions that webhooks or policies ask for. Each is encoded and parsed once in each
 * version, and all that ask share it. A failed conversion fails for each of them.
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

  /** The new object as a document, which must not change; undefined if the request has none. Rejects like {@link documents}. */
  async document(kind: GroupVersionKind): Promise<JsonObject | undefined> {
    return this.#new?.document(kind);
  }

  /** Rejects with a StatusError if an object has no such version. */
  async documents(kind: GroupVersionKind): Promise<ObjectDocuments> {
    return { object: await this.#new?.document(kind), oldObject: await this.#old?.document(kind) };
  }
}

/** One object in the versions that were asked for. */
class ShownObject {
  readonly #encode: (kind: GroupVersionKind) => Promise<Uint8Array>;
  readonly #bytes = new Map<string, Promise<Uint8Array>>();
  readonly #documents = new Map<string, Promise<JsonObject>>();

  constructor(encode: (kind: GroupVersionKind) => Promise<Uint8Array>) {
    this.#encode = encode;
  }

  bytes(kind: GroupVersionKind): Promise<Uint8Array> {
    return remembered(this.#bytes, kind, () => this.#encode(kind));
  }

  document(kind: GroupVersionKind): Promise<JsonObject> {
    return remembered(this.#documents, kind, async () => {
      const { value } = await inSlices(parseJsonInSteps(await this.bytes(kind)));
      return isObject(value) ? value : {};
    });
  }
}

function shown(
  object: Readonly<KubernetesObject> | undefined,
  { versions }: AdmissionAttributes,
): ShownObject | undefined {
  return object && new ShownObject(async (kind) => versions.encode(object, kind));
}

function remembered<T>(
  known: Map<string, Promise<T>>,
  { group, version, kind }: GroupVersionKind,
  make: () => Promise<T>,
): Promise<T> {
  const key = `${group}/${version}/${kind}`;
  let found = known.get(key);
  if (found === undefined) {
    found = make();
    known.set(key, found);
  }
  return found;
}
