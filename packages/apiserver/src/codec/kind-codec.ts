import type { JsonDetails, JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import type { GroupVersionKind, KubernetesObject } from '@binnacle/apimachinery/meta';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import type { Steps, WorkBudget } from '@binnacle/apimachinery/work';

/** An object, and the strict decoding errors of its document. */
export interface Decoded {
  readonly object: KubernetesObject;
  readonly strictErrors: readonly string[];
}

/** Converts documents of one kind and version to objects, and back. Built-in and custom kinds share it. */
export interface KindCodec {
  readonly groupVersionKind: GroupVersionKind;
  /** `apps/v1` */
  readonly apiVersion: string;
  readonly schema: StructSchema;

  /**
   * Set for custom resources, whose documents have no Go type. Their keys are sorted and their list items complete. A
   * document of another kind or version is decoded as it is, and the kind's own rules refuse it.
   */
  readonly untyped?: true;

  /**
   * Decodes a document of this kind and version. Unknown fields are dropped and reported in `strictErrors`, in
   * upstream's words; no defaults are set. `details` is what the JSON reader knows beyond the value. Sets kind and
   * apiVersion. Throws DecodeError when a value has the wrong type.
   */
  decode(value: JsonValue, details?: JsonDetails): Decoded;

  /** {@link decode} in steps, for large documents. */
  decodeInSteps(value: JsonValue, details?: JsonDetails): Steps<Decoded>;

  /**
   * Loads the protobuf codec. Its steps decode an object's protobuf message to the same object as {@link decode}, and
   * throw DecodeError. Absent for custom resources, which have no protobuf form.
   */
  decodeProtobuf?(message: Uint8Array): Promise<Steps<KubernetesObject>>;

  /**
   * The same synchronously for a stored message, once the protobuf codec is loaded. A time that JSON cannot express becomes
   * the nearest one.
   */
  decodeMessage?(message: Uint8Array): KubernetesObject;

  /** Encodes the JSON of {@link encode} as upstream's protobuf message, once the protobuf codec is loaded. */
  encodeMessage?(json: Uint8Array): Uint8Array;

  /**
   * Decodes the result of server-side apply. Custom resources drop unreadable metadata, and keep null where the
   * schema does not allow it, for validation to refuse. Default: {@link decode}.
   */
  decodeApplied?(value: JsonValue): KubernetesObject;

  /**
   * Decodes a stored document. Of a custom resource it drops unreadable metadata; of others, a time that no one can parse
   * becomes the nearest one.
   */
  decodeStored(value: JsonValue): KubernetesObject;

  /**
   * Sets the version's defaults in place. Throws a 413 when they exceed the budget. Without a budget, as for stored
   * objects, it leaves out defaults beyond a limit.
   */
  applyDefaults(object: KubernetesObject, budget?: WorkBudget): void;

  /** {@link applyDefaults} in steps, for large documents. Absent: defaulting is always fast. */
  applyDefaultsInSteps?(object: KubernetesObject, budget?: WorkBudget): Steps<void>;

  /** JSON in upstream's field order, with kind and apiVersion first; untyped kinds have sorted keys. */
  encode(object: Readonly<KubernetesObject>): Uint8Array;

  /** {@link encode} in steps, for large objects. The object must not change meanwhile. */
  encodeInSteps(object: Readonly<KubernetesObject>): Steps<Uint8Array>;

  /** The document of {@link encode} as a value. It shares parts with the object, so neither may change. */
  documentInSteps(object: Readonly<KubernetesObject>): Steps<JsonObject>;
}
