import { isObject, type JsonObject, type JsonValue, MAX_JSON_DEPTH } from '../json/index.js';
import { badRequest } from '../status/index.js';
import { patchRejected } from './errors.js';

/** Longer paths are rejected. */
export const MAXIMUM_TOKENS = MAX_JSON_DEPTH;

export interface JsonPatchOperation {
  readonly op: string;
  /** The unescaped tokens of the JSON pointer; empty for the whole document. */
  readonly path: readonly string[];
  readonly from: readonly string[] | undefined;
  /** Absent counts as null, as upstream. */
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

export function readOperation(operation: JsonValue | undefined): JsonPatchOperation {
  if (!isObject(operation)) throw patchRejected('an operation is null');
  const path = textField(operation, 'path');
  if (path === undefined) throw patchRejected('operation missing path field');
  const from = textField(operation, 'from');
  return {
    op: textField(operation, 'op') ?? 'unknown',
    path: readPointer(path),
    from: from === undefined ? undefined : readPointer(from),
    source: operation,
    value: (Object.hasOwn(operation, 'value') ? operation.value : undefined) ?? null,
  };
}

function textField(operation: { readonly [key: string]: JsonValue | undefined }, name: string): string | undefined {
  const value = Object.hasOwn(operation, name) ? operation[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Ignores text before the first slash, as upstream. Stops at one token more than a path may have. */
function readPointer(pointer: string): string[] {
  if (pointer === '') return [];
  const tokens = pointer.split('/', MAXIMUM_TOKENS + 2).slice(1);
  if (tokens.length === 0) throw patchRejected(`not a JSON pointer: ${pointer}`);
  return tokens.map((token) => token.replace(/~[01]/g, (escaped) => (escaped === '~1' ? '/' : '~')));
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
