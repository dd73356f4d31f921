import { isObject, type JsonObject, type JsonValue, MAX_JSON_DEPTH } from '../json/index.js';
import { badRequest } from '../status/index.js';

/** Longer paths are rejected. */
export const MAXIMUM_TOKENS = MAX_JSON_DEPTH;

/** A JSON pointer. One without a slash has no tokens: the empty one is the whole document, any other leads nowhere. */
export interface Pointer {
  readonly text: string;
  /** Unescaped. */
  readonly tokens: readonly string[];
}

export interface JsonPatchOperation {
  /** `unknown` if it is missing, like upstream. */
  readonly op: string;
  readonly path: Pointer | undefined;
  readonly from: Pointer | undefined;
  /** Absent counts as null, like upstream. */
  readonly value: JsonValue;
  /** The whole operation, which the text of a number is known by. */
  readonly source: JsonObject;
}

/** Throws 400 with upstream's message if the patch is not a list of operations. */
export function readOperations(patch: JsonValue): JsonValue[] {
  if (!Array.isArray(patch)) throw notDecodable(patch, '[]handlers.jsonPatchOp');
  for (const operation of patch) {
    if (operation === null) continue;
    if (!isObject(operation)) throw notDecodable(operation, 'handlers.jsonPatchOp');
    for (const name of ['op', 'path', 'from']) {
      const field = Object.hasOwn(operation, name) ? operation[name] : undefined;
      if (field === undefined || field === null || typeof field === 'string') continue;
      throw badRequest(
        `error decoding patch: json: cannot unmarshal ${jsonKind(field)} into Go struct field jsonPatchOp.${name} of type string`,
      );
    }
  }
  return patch;
}

/** Strict decoding errors for unknown fields of operations. */
export function unknownOperationFields(patch: JsonValue): string[] {
  if (!Array.isArray(patch)) return [];
  return patch.flatMap((operation, index) =>
    isObject(operation)
      ? Object.keys(operation)
          .filter((name) => !FIELDS.has(name))
          .map((name) => `unknown field "[${index}].${name}"`)
      : [],
  );
}

const FIELDS: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/** Whether a path into a patch, such as `[0].value.a`, is in a known field of an operation. */
export function isInOperationField(path: string): boolean {
  return FIELDS.has(/^\[\d+\]\.(\w+)(?:[.[]|$)/.exec(path)?.[1] ?? '');
}

/** A null is an operation without fields. */
export function readOperation(operation: JsonValue | undefined): JsonPatchOperation {
  const source = isObject(operation) ? operation : {};
  return {
    op: textField(source, 'op') ?? 'unknown',
    path: readPointer(textField(source, 'path')),
    from: readPointer(textField(source, 'from')),
    source,
    value: (Object.hasOwn(source, 'value') ? source.value : undefined) ?? null,
  };
}

function textField(operation: { readonly [key: string]: JsonValue | undefined }, name: string): string | undefined {
  const value = Object.hasOwn(operation, name) ? operation[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Ignores text before the first slash, like upstream. Stops at one token more than a path may have. */
function readPointer(text: string | undefined): Pointer | undefined {
  if (text === undefined) return undefined;
  const tokens = text.split('/', MAXIMUM_TOKENS + 2).slice(1);
  return { text, tokens: tokens.map(unescaped) };
}

/** For a token of millions of escapes, this is eight times faster than `replaceAll`. */
function unescaped(token: string): string {
  return token.includes('~') ? token.split('~1').join('/').split('~0').join('~') : token;
}

function notDecodable(value: JsonValue, type: string) {
  return badRequest(`error decoding patch: json: cannot unmarshal ${jsonKind(value)} into Go value of type ${type}`);
}

function jsonKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'number';
    default:
      return typeof value;
  }
}
