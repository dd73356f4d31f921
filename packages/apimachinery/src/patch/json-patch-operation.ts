import { isObject, type JsonValue } from '../json/index.js';
import { badRequest } from '../status/index.js';
import { patchRejected } from './errors.js';

export interface JsonPatchOperation {
  readonly op: string;
  /** The tokens of the JSON pointer, unescaped; none for the whole document. */
  readonly path: readonly string[];
  readonly from: readonly string[] | undefined;
  /** Absent counts as null, as upstream has it. */
  readonly value: JsonValue;
}

/** Throws a 400 in upstream's words when the patch is not a list of operations. */
export function readOperations(patch: JsonValue): unknown[] {
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

/** What strict decoding says of the fields that an operation does not have. */
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

export function readOperation(operation: unknown): JsonPatchOperation {
  if (!isObject(operation)) throw patchRejected('an operation is null');
  const path = textField(operation, 'path');
  if (path === undefined) throw patchRejected('operation missing path field');
  const from = textField(operation, 'from');
  return {
    op: textField(operation, 'op') ?? 'unknown',
    path: readPointer(path),
    from: from === undefined ? undefined : readPointer(from),
    value: (Object.hasOwn(operation, 'value') ? operation.value : undefined) ?? null,
  };
}

function textField(operation: { readonly [key: string]: JsonValue | undefined }, name: string): string | undefined {
  const value = Object.hasOwn(operation, name) ? operation[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** What stands before the first slash does not count, as upstream has it. */
function readPointer(pointer: string): string[] {
  if (pointer === '') return [];
  const tokens = pointer.split('/').slice(1);
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
