import type { JsonObject, JsonValue } from '../json/index.js';
import type { EnumValues } from './enum-values.js';

/**
 * One level of a custom resource's schema, compiled once from its OpenAPI form and then shared. Properties that most
 * levels lack are in {@link limits}, so that large schemas stay small. Upstream: apiextensions-apiserver
 * `pkg/apiserver/schema`.
 */
export interface SchemaNode {
  /** `object`, `array`, `string`, `integer`, `number`, `boolean`; `''` if the schema has no type. */
  readonly type: string;
  readonly nullable: boolean;
  readonly default: JsonValue | undefined;
  /** The size of {@link default} in JSON. */
  readonly defaultBytes: number;
  readonly properties: ReadonlyMap<string, SchemaNode>;
  /** The properties that have a default or may contain one. */
  readonly propertiesWithDefaults: readonly (readonly [name: string, property: SchemaNode])[];
  /** True: any value; undefined and false: no other properties. */
  readonly additionalProperties: SchemaNode | boolean | undefined;
  readonly items: SchemaNode | undefined;
  readonly required: readonly string[];
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly preserveUnknownFields: boolean;
  readonly lists: ListFacts | undefined;
  readonly mapType: string | undefined;
  readonly limits: ValueLimits | undefined;
  /** `x-kubernetes-validations` as in the schema; see `SchemaRules`. */
  readonly rules: readonly ValidationRule[];
  /** Whether a default applies at this level or below; otherwise defaulting skips it. */
  readonly hasDefaults: boolean;
  /** Whether this level or a lower one has a list with unique items. */
  readonly hasKeyedLists: boolean;
  /** Whether this level or a lower one is an embedded resource. */
  readonly hasEmbeddedResources: boolean;
  /** Whether this level or a lower one has rules. */
  readonly hasRules: boolean;
}

export interface ListFacts {
  readonly type: string;
  readonly mapKeys: readonly string[];
}

/** Constraints of values beyond their type. */
export interface ValueLimits {
  /** `''` if there is none, or none known for the type. */
  readonly format: string;
  readonly pattern: string;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: number | undefined;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly enum: EnumValues | undefined;
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
  /** Whether any of the last four is present. */
  readonly hasAlternatives: boolean;
}

export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean | undefined;
}

/** A schema in its OpenAPI form, decoded by the type of `JSONSchemaProps`. */
export type SchemaDocument = Readonly<JsonObject>;
