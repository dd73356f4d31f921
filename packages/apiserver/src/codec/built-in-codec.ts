import { applyDefaultsInSteps } from '@binnacle/api/defaults';
import type { Clock } from '@binnacle/apimachinery/clock';
import { getOwn, isObject, type JsonDetails, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import {
  asJson,
  asObject,
  formatGroupVersion,
  type GroupVersionKind,
  type KubernetesObject,
} from '@binnacle/apimachinery/meta';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import {
  decodeTyped,
  decodeTypedInSteps,
  encodeTyped,
  encodeTypedInSteps,
  typedDocumentInSteps,
} from '@binnacle/apimachinery/serializer';
import { finish, type Steps, type WorkBudget } from '@binnacle/apimachinery/work';
import type { Decoded, KindCodec } from './kind-codec.js';
import { protobufCodec } from './lazy-codec.js';

/** The codec of a kind in the table of facts. */
export class BuiltInCodec implements KindCodec {
  readonly groupVersionKind: GroupVersionKind;
  readonly apiVersion: string;
  readonly schema: StructSchema;
  readonly #now: (() => number) | undefined;

  /** `clock` is for defaults that are the current time. Default: the machine's. */
  constructor(groupVersionKind: GroupVersionKind, schema: StructSchema, clock?: Pick<Clock, 'now'>) {
    this.groupVersionKind = groupVersionKind;
    this.apiVersion = formatGroupVersion(groupVersionKind);
    this.schema = schema;
    this.#now = clock && (() => clock.now());
  }

  decode(value: JsonValue, details?: JsonDetails): Decoded {
    return finish(this.decodeInSteps(value, details));
  }

  *decodeInSteps(value: JsonValue, details?: JsonDetails): Steps<Decoded> {
    const { object, strictErrors } = yield* decodeTypedInSteps(value, this.schema, { details });
    const named = this.#named(object);
    keepManagersReset(named, value);
    return { object: named, strictErrors };
  }

  decodeStored(value: JsonValue): KubernetesObject {
    const named = this.#named(decodeTyped(value, this.schema, { clampsTimes: true }).object);
    keepManagersReset(named, value);
    return named;
  }

  async decodeProtobuf(message: Uint8Array): Promise<Steps<KubernetesObject>> {
    await protobufCodec.loading();
    return this.#decodeMessageInSteps(message);
  }

  *#decodeMessageInSteps(message: Uint8Array): Steps<KubernetesObject> {
    return this.#named(yield* protobufCodec.code.decodeProtobufInSteps(message, this.schema));
  }

  decodeMessage(message: Uint8Array): KubernetesObject {
    return this.#named(protobufCodec.code.decodeProtobuf(message, this.schema, { clampsTimes: true }));
  }

  encodeMessage(json: Uint8Array): Uint8Array {
    return protobufCodec.code.transcodeJson(json, this.schema);
  }

  applyDefaults(object: KubernetesObject, budget?: WorkBudget): void {
    finish(this.applyDefaultsInSteps(object, budget));
  }

  applyDefaultsInSteps(object: KubernetesObject, budget?: WorkBudget): Steps<void> {
    return applyDefaultsInSteps(asJson(object), this.schema, { now: this.#now, budget });
  }

  encode(object: Readonly<KubernetesObject>): Uint8Array {
    return encodeTyped(asJson(object), this.schema);
  }

  encodeInSteps(object: Readonly<KubernetesObject>): Steps<Uint8Array> {
    return encodeTypedInSteps(asJson(object), this.schema);
  }

  documentInSteps(object: Readonly<KubernetesObject>): Steps<JsonObject> {
    return typedDocumentInSteps(asJson(object), this.schema);
  }

  #named(object: JsonObject): KubernetesObject {
    object.kind = this.groupVersionKind.kind;
    object.apiVersion = this.apiVersion;
    object.metadata ??= {};
    return asObject(object);
  }
}

/**
 * Keeps an explicitly empty list of managers from the document, which resets ownership; an absent list does not.
 * Decoding does not distinguish them, and custom resources keep that result. Upstream: apimachinery
 * `isResetManagedFields`, apiextensions `SetObjectMeta`.
 */
function keepManagersReset(object: KubernetesObject, document: JsonValue): void {
  const metadata = isObject(document) ? getOwn(document, 'metadata') : undefined;
  const entries = isObject(metadata) ? getOwn(metadata, 'managedFields') : undefined;
  if (Array.isArray(entries) && entries.length === 0) object.metadata.managedFields = [];
}
