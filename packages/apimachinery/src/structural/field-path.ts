import { getOwn, isObject, type JsonValue } from '../json/index.js';
import type { SchemaDocument, SchemaNode } from './schema-node.js';

/** The target of a path in a definition: `.spec.mode`, `.spec['a.b']`. */
export interface ResolvedFieldPath {
  readonly schema: SchemaNode;
  /** The names along the path. */
  readonly steps: readonly string[];
  /** `spec.mode`; map keys are in brackets. */
  readonly text: string;
}

/**
 * Resolves a path of field names and map keys in a schema. Returns a string if that fails: the reason. Upstream:
 * apiextensions `cel.ValidFieldPath`.
 */
export function resolveFieldPath(path: string, root: SchemaNode, allowBrackets = true): ResolvedFieldPath | string {
  return resolveIn(path, root, childOfNode, allowBrackets);
}

/** Whether {@link resolveFieldPath} finds the path in a schema. Costs no more than the path is long. */
export function isFieldPathOf(path: string, schema: SchemaDocument): boolean {
  return typeof resolveIn(path, schema, childOfDocument, true) !== 'string';
}

/** What a name leads to in a schema of type `S`: a field of an object or a value of a map. */
type ChildOf<S> = (schema: S, name: string) => { readonly schema: S; readonly isField: boolean } | undefined;

function childOfNode({ properties, additionalProperties }: SchemaNode, name: string): ReturnType<ChildOf<SchemaNode>> {
  const isField = properties.size > 0;
  const schema = isField ? properties.get(name) : additionalProperties;
  return typeof schema === 'object' ? { schema, isField } : undefined;
}

/** No valid schema has both properties and a schema for other fields. */
function childOfDocument(document: SchemaDocument, name: string): ReturnType<ChildOf<SchemaDocument>> {
  const properties = getOwn(document, 'properties');
  const field = isObject(properties) ? getOwn(properties, name) : undefined;
  const schema = field ?? getOwn(document, 'additionalProperties');
  return isObject(schema) ? { schema, isField: field !== undefined } : undefined;
}

function resolveIn<S>(
  path: string,
  root: S,
  childOf: ChildOf<S>,
  allowBrackets: boolean,
): { schema: S; steps: readonly string[]; text: string } | string {
  const tokens = tokenize(path);
  const steps: string[] = [];
  let text = '';
  let schema = root;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token !== '.' && token !== '[') return `expected [ or . but got: ${token ?? ''}`;
    if (token === '[' && !allowBrackets) return 'array notation is not allowed';
    const next = tokens[++index];
    if (next === undefined) return 'unexpected end of JSON path';
    const name = token === '.' ? next : unquote(next);
    if (name === undefined) return `expected single quoted string but got ${next}`;
    const child = childOf(schema, name);
    if (child === undefined) return 'does not refer to a valid field';
    schema = child.schema;
    text += child.isField ? `${text === '' ? '' : '.'}${name}` : `[${name}]`;
    steps.push(name);
    if (token === '.') continue;
    const closing = tokens[++index];
    if (closing === undefined) return 'unexpected end of JSON path';
    if (closing !== ']') return `expected ] but got ${closing}`;
  }
  return { schema, steps, text };
}

/** The delimiters `.`, `[` and `]`, quoted strings, and the text between them. */
function tokenize(path: string): string[] {
  return path.match(/'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/gs) ?? [];
}

function unquote(token: string): string | undefined {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) return undefined;
  return token.slice(1, -1).replace(/\\(.)/gs, '$1');
}

/** The steps of a dotted path, `.spec.replicas`, without a schema. */
export function dottedSteps(path: string): readonly string[] {
  return path.replace(/^\./, '').split('.');
}

/** The value at the end of the steps; undefined if there is none. */
export function valueAt(value: JsonValue | undefined, steps: readonly string[]): JsonValue | undefined {
  let current = value;
  for (const step of steps) {
    if (!isObject(current)) return undefined;
    current = getOwn(current, step);
  }
  return current;
}
