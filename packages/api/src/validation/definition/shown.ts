import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import type { CustomResourceDefinitionVersion } from '../../generated/types/apiextensions-v1.js';

/**
 * Messages show parts of a definition as Go prints upstream's internal types, with all fields. Upstream:
 * `pkg/apis/apiextensions/types.go`, `types_jsonschema.go`.
 */
export function shownVersions(versions: readonly CustomResourceDefinitionVersion[]): JsonValue {
  return versions.map((version) => ({
    Name: version.name,
    Served: version.served ?? false,
    Storage: version.storage ?? false,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: shown(version.schema, (schema) => ({ OpenAPIV3Schema: shownSchema(schema.openAPIV3Schema) })),
    Subresources: shown(version.subresources, ({ status, scale }) => ({
      Status: status === undefined ? null : {},
      Scale: shown(scale, (each) => ({
        SpecReplicasPath: each.specReplicasPath,
        StatusReplicasPath: each.statusReplicasPath,
        LabelSelectorPath: each.labelSelectorPath ?? null,
      })),
    })),
    AdditionalPrinterColumns: shown(version.additionalPrinterColumns, (columns) =>
      columns.map((column) => ({
        Name: column.name,
        Type: column.type,
        Format: column.format ?? '',
        Description: column.description ?? '',
        Priority: column.priority ?? 0,
        JSONPath: column.jsonPath,
      })),
    ),
    SelectableFields: shown(version.selectableFields, (fields) =>
      fields.map(({ jsonPath }) => ({ JSONPath: jsonPath })),
    ),
  }));
}

function shown<T>(value: T | undefined, form: (value: T) => JsonValue): JsonValue {
  return value === undefined ? null : form(value);
}

type Form = (value: JsonValue) => JsonValue;

const plain: Form = (value) => value;
const list: Form = (value) => (Array.isArray(value) ? value.map(shownSchema) : null);
const map: Form = (value) =>
  isObject(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, shownSchema(value[key])]),
      )
    : null;
const orBool: Form = (value) =>
  typeof value === 'boolean' ? { Allows: value, Schema: null } : { Allows: true, Schema: shownSchema(value) };
const orArray: Form = (value) =>
  Array.isArray(value)
    ? { Schema: null, JSONSchemas: value.map(shownSchema) }
    : { Schema: shownSchema(value), JSONSchemas: null };
const rules: Form = (value) => (Array.isArray(value) ? value.map(shownRule) : null);

/** Go's name, zero value and form of each keyword, in struct order. */
const keywords: readonly (readonly [goName: string, keyword: string, zero: JsonValue, form: Form])[] = [
  ['ID', 'id', '', plain],
  ['Schema', '$schema', '', plain],
  ['Ref', '$ref', null, plain],
  ['Description', 'description', '', plain],
  ['Type', 'type', '', plain],
  ['Nullable', 'nullable', false, plain],
  ['Format', 'format', '', plain],
  ['Title', 'title', '', plain],
  ['Default', 'default', null, plain],
  ['Maximum', 'maximum', null, plain],
  ['ExclusiveMaximum', 'exclusiveMaximum', false, plain],
  ['Minimum', 'minimum', null, plain],
  ['ExclusiveMinimum', 'exclusiveMinimum', false, plain],
  ['MaxLength', 'maxLength', null, plain],
  ['MinLength', 'minLength', null, plain],
  ['Pattern', 'pattern', '', plain],
  ['MaxItems', 'maxItems', null, plain],
  ['MinItems', 'minItems', null, plain],
  ['UniqueItems', 'uniqueItems', false, plain],
  ['MultipleOf', 'multipleOf', null, plain],
  ['Enum', 'enum', null, plain],
  ['MaxProperties', 'maxProperties', null, plain],
  ['MinProperties', 'minProperties', null, plain],
  ['Required', 'required', null, plain],
  ['Items', 'items', null, orArray],
  ['AllOf', 'allOf', null, list],
  ['OneOf', 'oneOf', null, list],
  ['AnyOf', 'anyOf', null, list],
  ['Not', 'not', null, (value) => shownSchema(value)],
  ['Properties', 'properties', null, map],
  ['AdditionalProperties', 'additionalProperties', null, orBool],
  ['PatternProperties', 'patternProperties', null, map],
  ['Dependencies', 'dependencies', null, plain],
  ['AdditionalItems', 'additionalItems', null, orBool],
  ['Definitions', 'definitions', null, map],
  ['ExternalDocs', 'externalDocs', null, plain],
  ['Example', 'example', null, plain],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', null, plain],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', false, plain],
  ['XIntOrString', 'x-kubernetes-int-or-string', false, plain],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', null, plain],
  ['XListType', 'x-kubernetes-list-type', null, plain],
  ['XMapType', 'x-kubernetes-map-type', null, plain],
  ['XValidations', 'x-kubernetes-validations', null, rules],
];

export function shownSchema(schema: unknown): JsonValue {
  if (!isObject(schema)) return null;
  return Object.fromEntries(
    keywords.map(([goName, keyword, zero, form]) => {
      const value = schema[keyword];
      return [goName, value === undefined ? zero : form(value)];
    }),
  );
}

function shownRule(rule: JsonValue): JsonObject {
  const { rule: text, message, messageExpression, reason, fieldPath, optionalOldSelf } = isObject(rule) ? rule : {};
  return {
    Rule: text ?? '',
    Message: message ?? '',
    MessageExpression: messageExpression ?? '',
    Reason: reason ?? null,
    FieldPath: fieldPath ?? '',
    OptionalOldSelf: optionalOldSelf ?? null,
  };
}

/** Go's names of the keywords that a schema sets, in struct order. */
export function usedKeywords(schema: JsonObject): string[] {
  return keywords.flatMap(([goName, keyword]) => (schema[keyword] === undefined ? [] : [goName]));
}
