import type { JsonValue } from '../json/index.js';

/**
 * The one internal form of every type: built-in kinds enter it from the table of facts, custom resources from their
 * OpenAPI schemas. Decoding, pruning, defaulting, merging, apply, validation, OpenAPI and the protobuf codec read it and
 * nothing else. Schemas are immutable once built, and shared.
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
  /** Of `any`: server-side apply owns objects part by part, where it owns those of Go's types as one value. */
  readonly granular?: true | undefined;
  /** The closed set of values, where upstream declares one. Documentation and OpenAPI only: validation has its own rules. */
  readonly enum?: readonly string[] | undefined;
}

/** A reference to a struct type; `type` is resolved when first read, so that types may be recursive. */
export interface StructReference {
  readonly kind: 'struct';
  readonly type: StructSchema;
}

export interface MapSchema {
  readonly kind: 'map';
  readonly values: ValueSchema;
  /** `atomic` maps are replaced and owned as one value by server-side apply. Default: granular. */
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
  /** Protobuf carries this list inside a message of its own, as its field 1 (Go's named list types, e.g. `v1.Verbs`). */
  readonly protobufWrapped?: true | undefined;
}

/** One field of a struct. A struct's fields stand in the order in which upstream writes them. */
export interface FieldSchema {
  /** JSON name. */
  readonly name: string;
  readonly value: ValueSchema;
  readonly required: boolean;
  /** Absent from output when it has Go's zero value (`''`, `0`, `false`, empty list or map, nil pointer). */
  readonly omitEmpty: boolean;
  /** Absent from output when the whole value is zero; a struct counts as zero when all its fields are. */
  readonly omitZero: boolean;
  /** Go holds a pointer: an explicit zero value is distinct from absence and is kept. */
  readonly pointer: boolean;
  /** The field is there exactly when the document has it, null and zero included: custom resources have no Go type. */
  readonly written?: true | undefined;
  /** The schema default, applied when the field is absent. */
  readonly default?: JsonValue | undefined;
  /** Strategic merge: any of `merge`, `replace`, `retainKeys`. */
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[] | undefined;
  readonly patchMergeKey?: string | undefined;
  /** Struct-valued only: on the wire Go writes `{}` when it is zero and not omitted. Union facts of server-side apply live on the struct. */
  readonly protobuf?: number | undefined;
  /**
   * Numbers of the messages that protobuf nests around this field though JSON does not, outermost first: Go inlines them.
   * Such a message is always written, even when empty.
   */
  readonly protobufWithin?: readonly number[] | undefined;
  /** Go's names of the embedded structs that hold the field, dotted, outermost first (`ProbeHandler`): decoding errors name them. */
  readonly goEmbedded?: string | undefined;
  /** The type's mapType seen through this field, when the field narrows it. */
  readonly mapType?: 'atomic' | 'granular' | undefined;
}

export interface StructSchema {
  /** Full definition name, e.g. `io.k8s.api.core.v1.Pod`; for a custom resource a name of its own. */
  readonly name: string;
  /** Go's short name in decoding errors, e.g. `Pod`. */
  readonly goName: string;
  /** Go's qualified name in decoding errors, e.g. `v1.PodSpec`. */
  readonly goType?: string | undefined;
  readonly fields: readonly FieldSchema[];
  /** Field by JSON name. A Map, so that untrusted names never reach a prototype. */
  readonly byName: ReadonlyMap<string, FieldSchema>;
  readonly mapType?: 'atomic' | 'granular' | undefined;
  /** Objects may have fields that the type does not name, of any form. So may those of a type without fields. */
  readonly open?: true | undefined;
  readonly unions?: readonly Union[] | undefined;
}

/** Server-side apply's union: setting one member clears the others. */
export interface Union {
  readonly discriminator?: string | undefined;
  readonly fields: readonly string[];
  /** The discriminator's value for each of {@link fields}, in the same order. */
  readonly discriminatorValues?: readonly string[] | undefined;
}
