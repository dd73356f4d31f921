import type {
  ListSchema,
  MapSchema,
  ScalarKind,
  ScalarSchema,
  StructSchema,
  ValueSchema,
} from '@binnacle/apimachinery/schema';
import type { FieldRow } from './rows.js';

interface ScalarFacts {
  readonly kind: ScalarKind;
  readonly bits?: 32 | 64;
  readonly goType: string;
}

const scalars: ReadonlyMap<string, ScalarFacts> = new Map<string, ScalarFacts>([
  ['string', { kind: 'string', goType: 'string' }],
  ['bool', { kind: 'boolean', goType: 'bool' }],
  ['int32', { kind: 'integer', bits: 32, goType: 'int32' }],
  ['int64', { kind: 'integer', bits: 64, goType: 'int64' }],
  ['double', { kind: 'number', goType: 'float64' }],
  ['bytes', { kind: 'bytes', goType: '[]uint8' }],
  ['time', { kind: 'time', goType: 'v1.Time' }],
  ['microTime', { kind: 'microTime', goType: 'v1.MicroTime' }],
  ['duration', { kind: 'duration', goType: 'v1.Duration' }],
  ['quantity', { kind: 'quantity', goType: 'resource.Quantity' }],
  ['intOrString', { kind: 'intOrString', goType: 'intstr.IntOrString' }],
  ['any', { kind: 'any', goType: 'interface {}' }],
]);

/** Go's qualified name of a struct: `io.k8s.api.core.v1.Pod` becomes `v1.Pod`. */
export function goTypeOf(definition: string): string {
  return definition.slice(definition.lastIndexOf('.', definition.lastIndexOf('.') - 1) + 1);
}

/** Resolves its definition on first read, so that types may be recursive and unused ones are never built. */
class LazyStructReference {
  readonly kind = 'struct';
  readonly #definition: string;
  readonly #resolve: (definition: string) => StructSchema;
  #type: StructSchema | undefined;

  constructor(definition: string, resolve: (definition: string) => StructSchema) {
    this.#definition = definition;
    this.#resolve = resolve;
  }

  get type(): StructSchema {
    this.#type ??= this.#resolve(this.#definition);
    return this.#type;
  }
}

/** A value's schema and its type name in Go. */
interface Parsed {
  readonly value: ValueSchema;
  readonly goType: string;
}

type Facts = Pick<FieldRow, 'enum' | 'listType' | 'listMapKeys' | 'mapType'>;

const noFacts: Facts = {};

/**
 * Parses the type notation of types.json; `scripts/generate-api/go-types.mjs` documents the grammar. A row's list and
 * map facts apply to its outermost value, its enum to the innermost.
 */
export function parseNotation(row: FieldRow, resolve: (definition: string) => StructSchema): ValueSchema {
  return parse(row.type, undefined, false, row, resolve).value;
}

function parse(
  text: string,
  named: string | undefined,
  wrapped: boolean,
  facts: Facts,
  resolve: (definition: string) => StructSchema,
): Parsed {
  if (text.startsWith('[]')) {
    const items = parse(text.slice(2), undefined, false, innerFacts(facts), resolve);
    const goType = named ?? `[]${items.goType}`;
    const list: ListSchema = {
      kind: 'list',
      items: items.value,
      listType: facts.listType,
      listMapKeys: facts.listMapKeys,
      goType,
      protobufWrapped: wrapped ? true : undefined,
    };
    return { value: list, goType };
  }
  if (text.startsWith('map[')) {
    const end = text.indexOf(']');
    const values = parse(text.slice(end + 1), undefined, false, innerFacts(facts), resolve);
    const goType = named ?? `${text.slice(0, end + 1)}${values.goType}`;
    const map: MapSchema = { kind: 'map', values: values.value, mapType: facts.mapType, goType };
    return { value: map, goType };
  }
  const equals = text.indexOf('=');
  if (equals >= 0) {
    const rest = text.slice(equals + 1);
    const name = named ?? text.slice(0, equals);
    if (rest.startsWith('(')) return parse(rest.slice(1, -1), name, true, facts, resolve);
    return parse(rest, name, false, facts, resolve);
  }
  const scalar = scalars.get(text);
  if (scalar === undefined) return { value: new LazyStructReference(text, resolve), goType: named ?? goTypeOf(text) };
  const goType = named ?? scalar.goType;
  return { value: scalarSchema(scalar, goType, facts.enum), goType };
}

function innerFacts(facts: Facts): Facts {
  return facts.enum === undefined ? noFacts : { enum: facts.enum };
}

const sharedScalars = new Map<string, ScalarSchema>();

function scalarSchema(scalar: ScalarFacts, goType: string, values: readonly string[] | undefined): ScalarSchema {
  const build = (): ScalarSchema => ({ kind: scalar.kind, bits: scalar.bits, goType, enum: values });
  if (values !== undefined) return build();
  const key = `${scalar.kind} ${goType}`;
  const shared = sharedScalars.get(key) ?? build();
  sharedScalars.set(key, shared);
  return shared;
}
