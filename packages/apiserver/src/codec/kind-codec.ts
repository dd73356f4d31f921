import type { JsonDetails, JsonValue } from '@binnacle/apimachinery/json';
import type { GroupVersionKind, KubernetesObject } from '@binnacle/apimachinery/meta';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import type { Steps, WorkBudget } from '@binnacle/apimachinery/work';

/** An object, and what strict decoding holds against its document. */
export interface Decoded {
  readonly object: KubernetesObject;
  readonly strictErrors: readonly string[];
}

/** One kind in one version: how documents become objects, and objects documents. Built-in and custom kinds alike. */
export interface KindCodec {
  readonly groupVersionKind: GroupVersionKind;
  /** `apps/v1` */
  readonly apiVersion: string;
  readonly schema: StructSchema;

  /**
   * Custom resources: documents without a type of their own. Their keys are sorted, lists show items in full, and a document of
   * another kind or version is decoded as it is, for the kind's own rules to refuse.
   */
  readonly untyped?: true;

  /**
   * Reads a document of this kind and version: unknown fields are dropped and reported in `strictErrors`, in upstream's
   * words; nothing is defaulted. `details` is what the JSON reader knows beyond the value. Throws DecodeError when a value has the wrong type. kind and apiVersion are set.
   */
  decode(value: JsonValue, details?: JsonDetails): Decoded;

  /** {@link decode}, for documents that may be large. Absent: it takes less than long. */
  decodeInSteps?(value: JsonValue, details?: JsonDetails): Steps<Decoded>;

  /**
   * Reads an object's message in protobuf; the same object as {@link decode} gives. Throws DecodeError. Absent for kinds that
   * have no such form: custom resources.
   */
  decodeProtobuf?(message: Uint8Array): Promise<KubernetesObject>;

  /** The same at once, for those who have waited for the codec of protobuf. */
  decodeMessage?(message: Uint8Array): KubernetesObject;

  /** The way back, for them: the message, as upstream writes it, of the object that {@link encode} has written. */
  encodeMessage?(json: Uint8Array): Uint8Array;

  /**
   * Reads what server-side apply has merged. Custom resources lose what cannot be read of their metadata, and keep null where the
   * schema has no room for it, which is then refused. Default: as {@link decode}.
   */
  decodeApplied?(value: JsonValue): KubernetesObject;

  /** Reads a stored document; what cannot be read of its metadata is dropped. Default: as {@link decode}. */
  decodeStored?(value: JsonValue): KubernetesObject;

  /**
   * Fills in the version's defaults, in place. Throws a 413 when they are more than the budget allows. Without one, as of
   * objects that are stored, what is too much is left out.
   */
  applyDefaults(object: KubernetesObject, budget?: WorkBudget): void;

  /** JSON in upstream's field order: kind and apiVersion first, but for untyped kinds. */
  encode(object: Readonly<KubernetesObject>): Uint8Array;
}
