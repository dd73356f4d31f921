import { getOwn, isObject, type JsonObject, type JsonValue, sortedKeys } from '@binnacle/apimachinery/json';
import { flagOf, textOf, textsOf } from '@binnacle/apimachinery/structural';
import { DefinitionError } from './definition-error.js';
import { quote } from './identifiers.js';
import { type Field, plain, type Shape, Shapes, union, type ValueType } from './shape.js';

type Schema = Readonly<JsonObject>;

/** Far more than people write. Deeper schemas are treated as malicious. */
const MAXIMUM_DEPTH = 100;
const MAXIMUM_FIELDS = 200_000;

/** The apiVersion and kind of a version's objects, which override the schema. */
export interface ObjectIdentity {
  readonly apiVersion: string;
  readonly kind: string;
}

const unknown = plain('unknown');
const metadata = plain('ObjectMeta');

/** The fields of an embedded object of any kind; metadata is optional. */
const embedded: readonly Field[] = [
  requiredField('apiVersion', plain('string')),
  requiredField('kind', plain('string')),
  { ...requiredField('metadata', metadata), required: false },
];

function requiredField(name: string, type: ValueType): Field {
  return { name, description: '', required: true, type };
}

/**
 * Reads the schema of one version. Errors begin with `name`. Throws a {@link DefinitionError} for a schema that is too
 * deep or too large.
 * Upstream: apiextensions-apiserver `pkg/apiserver/schema`, structural schemas.
 */
export function readSchema(schema: Schema | undefined, identity: ObjectIdentity, name: string): Shape {
  const reader = new SchemaReader(name);
  return reader.resource(schema ?? { 'x-kubernetes-preserve-unknown-fields': true }, 0, [
    requiredField('apiVersion', plain(quote(identity.apiVersion))),
    requiredField('kind', plain(quote(identity.kind))),
    requiredField('metadata', metadata),
  ]);
}

class SchemaReader {
  readonly #shapes = new Shapes();
  readonly #name: string;
  #fields = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** An API object. Its first fields are always the same, whatever the schema says about them. */
  resource(schema: Schema, depth: number, first: readonly Field[]): Shape {
    const others = this.#fieldsOf(schema, depth).filter(({ name }) => first.every((field) => field.name !== name));
    return this.#shapes.of([...first, ...others], isOpen(schema));
  }

  #typeOf(schema: Schema, depth: number): ValueType {
    if (depth > MAXIMUM_DEPTH) throw new DefinitionError(`${this.#name}: nested deeper than ${MAXIMUM_DEPTH} levels`);
    const type = enumOf(schema) ?? this.#withoutEnum(schema, depth);
    // A union with unknown is unknown.
    return flagOf(schema, 'nullable') && type !== unknown ? union([type, plain('null')]) : type;
  }

  #withoutEnum(schema: Schema, depth: number): ValueType {
    if (flagOf(schema, 'x-kubernetes-int-or-string')) return union([plain('number'), plain('string')]);
    if (flagOf(schema, 'x-kubernetes-embedded-resource')) {
      return { form: 'object', shape: this.resource(schema, depth, embedded) };
    }
    switch (textOf(schema, 'type')) {
      case 'string':
        return plain('string');
      case 'boolean':
        return plain('boolean');
      case 'integer':
      case 'number':
        return plain('number');
      case 'array':
        return { form: 'list', items: this.#child(getOwn(schema, 'items'), depth) };
      case 'object':
        return this.#objectOf(schema, depth);
      default:
        return unknown;
    }
  }

  #objectOf(schema: Schema, depth: number): ValueType {
    const fields = this.#fieldsOf(schema, depth);
    if (fields.length > 0) return { form: 'object', shape: this.#shapes.of(fields, isOpen(schema)) };
    if (isOpen(schema)) return { form: 'map', values: unknown };
    const values = getOwn(schema, 'additionalProperties');
    // The server prunes all fields of an object that declares none.
    return { form: 'map', values: isObject(values) ? this.#child(values, depth) : plain('never') };
  }

  #fieldsOf(schema: Schema, depth: number): readonly Field[] {
    const properties = getOwn(schema, 'properties');
    if (!isObject(properties)) return [];
    const required = new Set(textsOf(schema, 'required'));
    const names = sortedKeys(properties);
    this.#fields += names.length;
    if (this.#fields > MAXIMUM_FIELDS) throw new DefinitionError(`${this.#name}: more than ${MAXIMUM_FIELDS} fields`);
    return names.map((name) => {
      const property = getOwn(properties, name);
      return {
        name,
        description: isObject(property) ? textOf(property, 'description') : '',
        required: required.has(name),
        type: this.#child(property, depth),
      };
    });
  }

  #child(schema: JsonValue | undefined, depth: number): ValueType {
    return isObject(schema) ? this.#typeOf(schema, depth + 1) : unknown;
  }
}

function isOpen(schema: Schema): boolean {
  return flagOf(schema, 'x-kubernetes-preserve-unknown-fields') || getOwn(schema, 'additionalProperties') === true;
}

/**
 * The literals of an enumeration of scalars, if the schema has one. A type and its field may each have a list; both are
 * then under `allOf`, and the first one counts.
 */
function enumOf(schema: Schema): ValueType | undefined {
  const parts = getOwn(schema, 'allOf');
  for (const part of [schema, ...(Array.isArray(parts) ? parts.filter(isObject) : [])]) {
    const values = getOwn(part, 'enum');
    if (!Array.isArray(values) || values.length === 0) continue;
    const literals = values.map(literalOf);
    return literals.includes(undefined) ? undefined : union(literals.filter((literal) => literal !== undefined));
  }
  return undefined;
}

function literalOf(value: JsonValue): ValueType | undefined {
  if (typeof value === 'string') return plain(quote(value));
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return plain(String(value));
  return undefined;
}
