import type { JsonValue } from '../json/index.js';

/**
 * The internal form of every type. Built-in kinds get it from the table of facts, custom resources from their OpenAPI
 * schemas. Decoding, pruning, defaulting, merging, apply, validation, OpenAPI and the protobuf codec use only this
 * form. Schemas are immutable once built, and shared.
 */
export type ValueSchema = ScalarSchema | StructReference | MapSchema | ListSchema;

/**
 * - `string`, `boolean`, `integer` (`bits`), `number` (a double), `bytes` (base64 text in JSON)
 * - `time` (RFC 3339, whole seconds, UTC), `microTime` (six fractional digits), `duration` (Go's text form)
 * - `quantity`, `intOrString`
 * - `any`: any JSON value, kept as it is (RawExtension, JSON, FieldsV1)
 */
export type ScalarKind =
  | 'string'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'duration'
  | 'quantity'
  | 'intOrString'
  | 'any';

export interface ScalarSchema {
  readonly kind: ScalarKind;
  /** Width of an `integer`: 32 or 64. */
  readonly bits?: 32 | 64 | undefined;
  /** Go's name of the type in decoding errors, e.g. `string`, `int32`, `v1.Time`. */
  readonly goType: string;
  /** For `any`: server-side apply tracks the parts of an object. For Go's types it tracks the value as a whole. */
  readonly granular?: true | undefined;
  /**
   * The closed set of values, if upstream declares one. For documentation and OpenAPI only; validation has its own
   * rules.
   */
  readonly enum?: readonly string[] | undefined;
}

/** A reference to a struct type. `type` resolves on first read, so types may be recursive. */
export interface StructReference {
  readonly kind: 'struct';
  readonly type: StructSchema;
}

export interface MapSchema {
  readonly kind: 'map';
  readonly values: ValueSchema;
  /** Server-side apply replaces and owns `atomic` maps as a whole. Default: granular. */
  readonly mapType?: 'atomic' | 'granular' | undefined;
  /** Go's name of the type in decoding errors, e.g. `map[string]string`. */
  readonly goType?: string | undefined;
}

export interface ListSchema {
  readonly kind: 'list';
  readonly items: ValueSchema;
  /** Server-side apply: `atomic` (default), `set` of scalars, or `map` keyed by {@link listMapKeys}. */
  readonly listType?: 'atomic' | 'set' | 'map' | undefined;
  readonly listMapKeys?: readonly string[] | undefined;
  /** Go's name of the type in decoding errors, e.g. `[]v1.Container`. */
  readonly goType?: string | undefined;
  /** Protobuf wraps this list in a message, as its field 1 (Go's named list types, e.g. `v1.Verbs`). */
  readonly protobufWrapped?: true | undefined;
}

/** One field of a struct. Fields are in the order in which upstream writes them. */
export interface FieldSchema {
  /** JSON name. */
  readonly name: string;
  readonly value: ValueSchema;
  readonly required: boolean;
  /** Omitted from output if it has Go's zero value (`''`, `0`, `false`, empty list or map, nil pointer). */
  readonly omitEmpty: boolean;
  /** Omitted from output if the whole value is zero; a struct is zero if all its fields are. */
  readonly omitZero: boolean;
  /** Go has a pointer: an explicit zero value is kept and differs from absence. */
  readonly pointer: boolean;
  /** An explicitly empty list or map stays in a decoded object. The field has {@link omitEmpty}. Default: it is dropped. */
  readonly keepsEmpty?: boolean | undefined;
  /** The field is present exactly if the document has it, even as null or zero: custom resources have no Go type. */
  readonly written?: true | undefined;
  /** The schema default, applied if the field is absent. */
  readonly default?: JsonValue | undefined;
  /** Strategic merge: any of `merge`, `replace`, `retainKeys`. */
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[] | undefined;
  readonly patchMergeKey?: string | undefined;
  /**
   * For structs only: Go writes `{}` on the wire if the value is zero and not omitted. Union facts of server-side apply
   * are on the struct.
   */
  readonly protobuf?: number | undefined;
  /**
   * Field numbers of the messages that protobuf nests around this field and JSON does not, outermost first, because Go
   * inlines them. Such a message is always written, even if empty.
   */
  readonly protobufWithin?: readonly number[] | undefined;
  /**
   * Names of Go's embedded structs that hold the field, dotted, outermost first (`ProbeHandler`). Decoding errors name
   * them.
   */
  readonly goEmbedded?: string | undefined;
  /** The mapType of this field, if it narrows the type's. */
  readonly mapType?: 'atomic' | 'granular' | undefined;
}

export interface StructSchema {
  /** Full definition name, e.g. `io.k8s.api.core.v1.Pod`; a custom resource has a generated name. */
  readonly name: string;
  /** Go's short name in decoding errors, e.g. `Pod`. */
  readonly goName: string;
  /** Go's qualified name in decoding errors, e.g. `v1.PodSpec`. */
  readonly goType?: string | undefined;
  readonly fields: readonly FieldSchema[];
  /** Field by JSON name. A Map, so that untrusted names never reach a prototype. */
  readonly byName: ReadonlyMap<string, FieldSchema>;
  readonly mapType?: 'atomic' | 'granular' | undefined;
  /** Objects may have unknown fields of any form. This includes types without fields. */
  readonly open?: true | undefined;
  readonly unions?: readonly Union[] | undefined;
}

/** A union of server-side apply: setting one member clears the others. */
export interface Union {
  readonly discriminator?: string | undefined;
  readonly fields: readonly string[];
  /** The discriminator's value for each of {@link fields}, in the same order. */
  readonly discriminatorValues?: readonly string[] | undefined;
}
