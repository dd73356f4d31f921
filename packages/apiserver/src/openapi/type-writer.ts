import { deepCopy, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import type { FieldSchema, ScalarSchema, StructSchema, ValueSchema } from '@binnacle/apimachinery/schema';
import type { Steps } from '@binnacle/apimachinery/work';
import { type CustomParts, customDefinition } from './custom-types.js';
import type { Descriptions } from './descriptions.js';
import type { Dialect } from './dialect.js';
import type { OpenApiSource } from './source.js';
import { atomicBytes, definitionOfScalar, specialTypes } from './special-types.js';

const ANY_KIND = 'io.k8s.api.core.v1.ConfigMap';
const LIST_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';

/** Steps without a result: a source without custom kinds knows no custom types. */
const noSteps: readonly never[] = [];

/** Writes struct types as definitions, and tracks the definitions that they refer to. */
export class TypeWriter {
  readonly #dialect: Dialect;
  readonly #source: OpenApiSource;
  readonly #descriptions: Descriptions;
  readonly #prefix: string;
  /** Definitions that are referred to and not yet written. */
  readonly #pending: string[] = [];
  readonly #known = new Set<string>();

  constructor(dialect: Dialect, source: OpenApiSource, descriptions: Descriptions) {
    this.#dialect = dialect;
    this.#source = source;
    this.#descriptions = descriptions;
    this.#prefix = dialect === 'v2' ? '#/definitions/' : '#/components/schemas/';
  }

  reference(definition: string): JsonObject {
    if (!this.#known.has(definition)) {
      this.#known.add(definition);
      this.#pending.push(definition);
    }
    return { $ref: this.#prefix + definition };
  }

  /** Every definition that is referred to, directly or not, sorted by name. Call it last. */
  *definitions(): Steps<JsonObject> {
    const written: [string, JsonObject][] = [];
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      written.push([next, yield* this.#definition(next)]);
      yield;
    }
    return Object.fromEntries(written.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  *#definition(definition: string): Steps<JsonObject> {
    const custom = yield* this.#source.customType?.(definition) ?? noSteps;
    if (custom !== undefined) return customDefinition(custom, definition, this.#dialect, this.#customParts());
    const special = specialTypes.get(definition);
    const description = this.#descriptions.ofType(definition);
    const described: JsonObject = description === undefined ? {} : { description };
    if (special !== undefined) {
      return { ...described, ...deepCopy(this.#dialect === 'v3' ? (special.v3 ?? special.v2) : special.v2) };
    }
    const schema = this.#source.schemaOf(definition);
    const properties: JsonObject = {};
    const sorted = [...schema.fields].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const field of sorted) properties[field.name] = this.#property(definition, field);
    const required = schema.fields.filter((field) => field.required).map((field) => field.name);
    return {
      ...described,
      ...(sorted.length === 0 ? {} : { properties }),
      ...(required.length === 0 ? {} : { required }),
      type: 'object',
      ...typeExtensions(schema, this.#source.publishedKinds(definition)),
    };
  }

  /** The common fields of custom kinds, described as those of built-in kinds. */
  #customParts(): CustomParts {
    const kind = this.#source.schemaOf(ANY_KIND).byName;
    const field = (name: string): JsonObject => {
      const facts = kind.get(name);
      if (facts === undefined) throw new Error(`${ANY_KIND} has no ${name}`);
      return this.#property(ANY_KIND, facts);
    };
    return { field, listMetadata: () => this.reference(LIST_META), reference: (name) => this.reference(name) };
  }

  /** In v3, a reference allows no siblings: other properties of a field wrap it. */
  #property(definition: string, field: FieldSchema): JsonObject {
    const description = this.#descriptions.ofField(definition, field.name);
    const extensions = fieldExtensions(field);
    if (atomicBytes.has(`${definition}.${field.name}`)) extensions['x-kubernetes-list-type'] = 'atomic';
    const facts: JsonObject = {
      ...(this.#dialect === 'v3' && field.default !== undefined ? { default: deepCopy(field.default) } : {}),
      ...(description === undefined ? {} : { description }),
    };
    const value = this.#value(field.value);
    if (this.#dialect === 'v3' && value['$ref'] !== undefined) return { allOf: [value], ...facts, ...extensions };
    return { ...facts, ...extensions, ...value };
  }

  #value(value: ValueSchema): JsonObject {
    switch (value.kind) {
      case 'struct':
        return this.reference(value.type.name);
      case 'list':
        return { items: this.#element(value.items), type: 'array' };
      case 'map':
        return { additionalProperties: this.#element(value.values), type: 'object' };
      default:
        return this.#scalar(value);
    }
  }

  /** A list item or map value. It is never absent, so its default is its zero value. */
  #element(value: ValueSchema): JsonObject {
    const written = this.#value(value);
    const zero = this.#dialect === 'v3' ? zeroOf(value) : undefined;
    if (zero === undefined) return written;
    return written['$ref'] === undefined ? { default: zero, ...written } : { allOf: [written], default: zero };
  }

  #scalar(scalar: ScalarSchema): JsonObject {
    const definition = definitionOfScalar(scalar);
    if (definition !== undefined) return this.reference(definition);
    const values = scalar.enum;
    switch (scalar.kind) {
      case 'boolean':
        return { type: 'boolean' };
      case 'integer':
        return { format: `int${scalar.bits ?? 64}`, type: 'integer' };
      case 'number':
        return { format: 'double', type: 'number' };
      case 'bytes':
        return { format: 'byte', type: 'string' };
      case 'any':
        return { type: 'object' };
      default:
        return { ...(this.#dialect === 'v3' && values !== undefined ? { enum: [...values] } : {}), type: 'string' };
    }
  }
}

function zeroOf(value: ValueSchema): JsonValue | undefined {
  switch (value.kind) {
    case 'struct':
      return {};
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 0;
    default:
      return undefined;
  }
}

/** The field's properties that strategic merge, apply and their clients need. */
function fieldExtensions(field: FieldSchema): JsonObject {
  const { value } = field;
  const extensions: JsonObject = {};
  if (value.kind === 'list') {
    if (value.listMapKeys !== undefined) extensions['x-kubernetes-list-map-keys'] = [...value.listMapKeys];
    if (value.listType !== undefined) extensions['x-kubernetes-list-type'] = value.listType;
  }
  const mapType = value.kind === 'map' ? value.mapType : field.mapType;
  if (mapType !== undefined) extensions['x-kubernetes-map-type'] = mapType;
  if (field.patchMergeKey !== undefined) extensions['x-kubernetes-patch-merge-key'] = field.patchMergeKey;
  if (field.patchStrategy !== undefined) extensions['x-kubernetes-patch-strategy'] = field.patchStrategy.join(',');
  return extensions;
}

function typeExtensions(schema: StructSchema, kinds: readonly string[]): JsonObject {
  const extensions: JsonObject = {};
  if (kinds.length > 0) {
    extensions['x-kubernetes-group-version-kind'] = kinds.map((text) => {
      const [group = '', version = '', kind = ''] = text.split('/');
      return { group, kind, version };
    });
  }
  if (schema.mapType !== undefined) extensions['x-kubernetes-map-type'] = schema.mapType;
  if (schema.unions !== undefined) {
    extensions['x-kubernetes-unions'] = schema.unions.map((union) => ({
      ...(union.discriminator === undefined ? {} : { discriminator: union.discriminator }),
      'fields-to-discriminateBy': Object.fromEntries(
        union.fields.map((field, index) => [field, union.discriminatorValues?.[index] ?? '']),
      ),
    }));
  }
  return extensions;
}
