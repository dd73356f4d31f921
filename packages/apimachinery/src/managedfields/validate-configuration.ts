import { formatGoValue, isObject, type JsonObject, type JsonValue, keysInSteps } from '../json/index.js';
import { quoteGo } from '../status/index.js';
import type { ListSchema, ScalarKind, StructSchema, ValueSchema } from '../schema/index.js';
import { Pace, type Steps } from '../work/index.js';
import { formatGoSyntax, goTypeOf } from './go-text.js';
import { fieldElement, type PathElement } from './fieldsets/path-element.js';
import { formatPath, formatPathElement } from './fieldsets/path-text.js';
import { writtenValue } from './merge/presence.js';
import { listElement, type OwnedSchema } from './merge/structure.js';

/** Less than a millisecond of work. */
const VALUES_PER_STEP = 1000;

/** The maximum number of reported problems. A document may have one on every line. */
const MAXIMUM_PROBLEMS = 100;

/**
 * Why a configuration does not match its schema, in upstream's words; undefined if it does. Rejects unknown fields,
 * values of the wrong kind, and list items with equal or missing keys. Upstream: structured-merge-diff `typed.AsTyped`.
 */
export function* configurationProblem(
  configuration: JsonObject,
  schema: StructSchema,
  nulls: 'accepted' | 'refused' = 'accepted',
): Steps<string | undefined> {
  const validator = new ConfigurationValidator(nulls === 'refused');
  yield* validator.struct(schema, configuration);
  const { problems } = validator;
  return problems.length < 2 ? problems[0] : ['errors:', ...problems.map((problem) => `  ${problem}`)].join('\n');
}

class ConfigurationValidator {
  readonly problems: string[] = [];
  readonly #path: PathElement[] = [];
  readonly #refusesNull: boolean;
  readonly #pace = new Pace(VALUES_PER_STEP);

  constructor(refusesNull: boolean) {
    this.#refusesNull = refusesNull;
  }

  /** A struct without fields accepts a document of any form. */
  *struct(type: StructSchema, object: JsonObject): Steps<void> {
    for (const name of yield* keysInSteps(object)) {
      const value = object[name];
      if (value === undefined || this.problems.length >= MAXIMUM_PROBLEMS) continue;
      const field = type.byName.get(name);
      if (field === undefined && type.open !== true && type.fields.length > 0) {
        this.#path.push(fieldElement(name));
        this.#refuse('field not declared in schema');
        this.#path.pop();
        return;
      }
      yield* this.#item(fieldElement(name), field?.value ?? 'unknown', value);
    }
  }

  *#item(element: PathElement, schema: OwnedSchema, value: JsonValue): Steps<void> {
    if (this.#pace.endsStep()) yield;
    if (schema === 'unknown' || (value === null && !this.#refusesNull)) return;
    this.#path.push(element);
    yield* this.#value(schema, value);
    this.#path.pop();
  }

  *#value(schema: ValueSchema, value: JsonValue): Steps<void> {
    switch (schema.kind) {
      case 'struct':
        if (isObject(value)) yield* this.struct(schema.type, value);
        else this.#refuse(`expected map, got ${shown(value)}`);
        break;
      case 'map':
        if (isObject(value)) yield* this.#map(schema.values, value);
        else this.#refuse(`expected map, got ${shown(value)}`);
        break;
      case 'list':
        if (Array.isArray(value)) yield* this.#list(schema, value);
        else this.#refuse(`expected list, got ${shown(value)}`);
        break;
      default: {
        const problem = scalarProblem(schema.kind, value);
        if (problem !== undefined) this.#refuse(problem);
      }
    }
  }

  *#map(values: ValueSchema, map: JsonObject): Steps<void> {
    for (const key of yield* keysInSteps(map)) yield* this.#item(fieldElement(key), values, map[key] ?? null);
  }

  *#list(list: ListSchema, items: readonly JsonValue[]): Steps<void> {
    if (list.listType !== 'map' && list.listType !== 'set') {
      for (const [index, item] of items.entries()) yield* this.#item(`i:${index}`, list.items, item);
      return;
    }
    const seen = new Set<PathElement>();
    for (const [index, item] of items.entries()) {
      const problem = itemProblem(list, item);
      const element = problem === undefined ? listElement(list, item, writtenValue) : undefined;
      if (element === undefined) {
        this.#refuse(`element ${index}: ${problem ?? withoutKeys(list)}`);
        return;
      }
      if (seen.has(element)) this.#refuse(`duplicate entries for key ${formatPathElement(element)}`);
      seen.add(element);
      yield* this.#item(element, list.items, item);
    }
  }

  #refuse(message: string): void {
    if (this.problems.length >= MAXIMUM_PROBLEMS) return;
    const path = formatPath(this.#path);
    this.problems.push(path === '' ? message : `${path}: ${message}`);
  }
}

function itemProblem(list: ListSchema, item: JsonValue): string | undefined {
  if (list.listType === 'map') {
    if (item === null) return 'associative list with keys may not have a null element';
    return isObject(item) ? undefined : 'associative list with keys may not have non-map elements';
  }
  if (item === null) return "associative list without keys has an element that's an explicit null";
  if (Array.isArray(item)) return 'not supported: associative list with lists as elements';
  return isObject(item) ? "associative list without keys has an element that's a map type" : undefined;
}

function withoutKeys(list: ListSchema): string {
  const keys = (list.listMapKeys ?? []).map(quoteGo).join(' ');
  return `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`;
}

function scalarProblem(kind: ScalarKind, value: JsonValue): string | undefined {
  switch (kind) {
    case 'any':
      return undefined;
    case 'integer':
    case 'number':
      if (typeof value === 'number' || typeof value === 'bigint') return undefined;
      return `expected numeric (int or float), got ${value === null ? 'structpb.NullValue' : goTypeOf(value)}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${shown(value)}`;
    case 'string':
    case 'bytes':
    case 'duration':
      if (typeof value === 'string') return undefined;
      return `expected string, got &value.valueUnstructured{Value:${value === null ? '0' : formatGoSyntax(value)}}`;
    default:
      return typeof value === 'object' ? `expected any scalar, got ${shown(value)}` : undefined;
  }
}

/** Null is refused only in values of expressions, which upstream holds as an enumeration of protobuf. */
function shown(value: JsonValue): string {
  return `&{${value === null ? 'NULL_VALUE' : formatGoValue(value)}}`;
}
