import { isObject, type JsonObject, type JsonValue, MAX_JSON_DEPTH, setOwn, stringifyJson } from '../json/index.js';
import { quoteGo, requestEntityTooLarge } from '../status/index.js';
import { finish, type Steps, WorkBudget } from '../work/index.js';
import { isDeeperThan } from './depth.js';
import { JsonPatchTestError, PatchPathError, patchRejected } from './errors.js';
import { PatchedDocument } from './json-patch-document.js';
import {
  type JsonPatchOperation,
  MAXIMUM_TOKENS,
  type Pointer,
  readOperation,
  readOperations,
} from './json-patch-operation.js';
import { type Part, PatchedNumbers } from './patched-numbers.js';

export interface JsonPatchLimits {
  /** Default 10000. */
  readonly operations?: number;
  /** Total bytes of JSON that `copy` operations may copy. Default 3 MiB. */
  readonly copiedBytes?: number;
  /** The work that the patch may cost. Default: the limit of a request. */
  readonly budget?: WorkBudget | undefined;
  /** The texts of the numbers of the patch, which get those of the result. */
  readonly numbers?: PatchedNumbers;
}

const MAXIMUM_OPERATIONS = 10_000;
const MAXIMUM_COPIED_BYTES = 3 * 1024 * 1024;

/**
 * RFC 6902. Applies all operations in order, or none. Throws a StatusError: 400 if `patch` is no list of operations,
 * 413 for too many of them or too much work, 422 if one cannot be applied. Upstream: apiserver `handlers/patch.go`,
 * evanphx/json-patch v4.
 */
export function applyJsonPatch(document: JsonValue, patch: JsonValue, limits?: JsonPatchLimits): JsonValue {
  return finish(applyJsonPatchInSteps(document, patch, limits));
}

/** {@link applyJsonPatch} in steps: an operation on a long list moves all following items. */
export function* applyJsonPatchInSteps(
  document: JsonValue,
  patch: JsonValue,
  limits: JsonPatchLimits = {},
): Steps<JsonValue> {
  const {
    operations: maximum = MAXIMUM_OPERATIONS,
    copiedBytes = MAXIMUM_COPIED_BYTES,
    budget = new WorkBudget(),
    numbers = new PatchedNumbers(),
  } = limits;
  const operations = readOperations(patch);
  if (operations.length > maximum) {
    throw requestEntityTooLarge(
      `The allowed maximum operations in a JSON patch is ${maximum}, got ${operations.length}`,
    );
  }
  const run = new Run(document, copiedBytes, budget, numbers);
  for (const operation of operations) {
    run.apply(readOperation(operation));
    if (budget.endsStep()) yield;
  }
  if (isDeeperThan(run.result, MAX_JSON_DEPTH)) throw patchRejected('the result nests too deeply');
  return run.result;
}

class Run {
  readonly #document: PatchedDocument;
  readonly #numbers: PatchedNumbers;
  #bytesLeft: number;

  constructor(document: JsonValue, copiedBytes: number, budget: WorkBudget, numbers: PatchedNumbers) {
    this.#document = new PatchedDocument(document, budget, numbers);
    this.#numbers = numbers;
    this.#bytesLeft = copiedBytes;
  }

  get result(): JsonValue {
    return this.#document.root;
  }

  apply(operation: JsonPatchOperation): void {
    const { op } = operation;
    const part: Part = { value: operation.value, text: this.#numbers.get(operation.source)?.get('value') };
    const document = this.#document;
    switch (op) {
      case 'add':
        at(ADD, pathOf(operation), (tokens) => document.add(tokens, part));
        break;
      case 'replace':
        this.#replace(pathOf(operation), part);
        break;
      case 'remove':
        at(REMOVE, pathOf(operation), (tokens) => document.remove(tokens));
        break;
      case 'test':
        this.#test(pathOf(operation), part);
        break;
      case 'move': {
        const moved = at(MOVE_FROM, fromOf(operation), (tokens) => document.remove(tokens));
        at(MOVE_TO, pathOf(operation), (tokens) => document.add(tokens, moved));
        break;
      }
      case 'copy': {
        const copy = this.#copyOf(at(COPY_FROM, fromOf(operation), (tokens) => document.get(tokens)));
        at(COPY_TO, pathOf(operation), (tokens) => document.add(tokens, copy));
        break;
      }
      default:
        throw patchRejected(`Unexpected kind: ${op}`);
    }
  }

  #replace(path: Pointer, part: Part): void {
    if (path.text === '') this.#document.replaceRoot(part.value ?? null);
    else at(REPLACE, path, (tokens) => this.#document.replace(tokens, part));
  }

  #test(path: Pointer, expected: Part): void {
    const found = path.text === '' ? { value: this.result } : at(TEST, path, (tokens) => this.#document.get(tokens));
    const { value = null, text }: Part = found;
    if (this.#numbers.areEqual({ value, text }, expected)) return;
    throw patchRejected(new JsonPatchTestError(`testing value ${path.text} failed: test failed`));
  }

  #copyOf({ value = null, text }: Part): Part {
    if (isDeeperThan(value, MAX_JSON_DEPTH)) throw patchRejected('a copied value nests too deeply');
    this.#bytesLeft -= Buffer.byteLength(stringifyJson(value));
    if (this.#bytesLeft < 0) throw patchRejected('copy operations copy too much');
    return { value: this.#deepCopy(value), text };
  }

  #deepCopy(value: JsonValue): JsonValue {
    if (Array.isArray(value)) {
      const list = value.map((item) => this.#deepCopy(item));
      this.#numbers.share(value, list);
      return list;
    }
    if (!isObject(value)) return value;
    const object: JsonObject = {};
    for (const key of Object.keys(value)) {
      const field = value[key];
      if (field !== undefined) setOwn(object, key, this.#deepCopy(field));
    }
    this.#numbers.share(value, object);
    return object;
  }
}

/** Upstream's words for an operation that finds no container, or no element in it. */
interface PathWords {
  readonly container: (path: string) => string;
  readonly element: (path: string, key: string, problem: string) => string;
}

const ADD: PathWords = {
  container: (path) => `add operation does not apply: doc is missing path: ${quoteGo(path)}`,
  element: (path, _, problem) => `error in add for path: '${path}': ${problem}`,
};
const REMOVE: PathWords = {
  container: (path) => `remove operation does not apply: doc is missing path: ${quoteGo(path)}`,
  element: (path, _, problem) => `error in remove for path: '${path}': ${problem}`,
};
const REPLACE: PathWords = {
  container: (path) => `replace operation does not apply: doc is missing path: ${path}`,
  element: (path) => `replace operation does not apply: doc is missing key: ${path}: missing value`,
};
const TEST: PathWords = {
  container: (path) => `test operation does not apply: is missing path: ${path}`,
  element: (path, _, problem) => `error in test for path: '${path}': ${problem}`,
};
const MOVE_FROM: PathWords = {
  container: (path) => `move operation does not apply: doc is missing from path: ${path}`,
  element: (_, key, problem) => `error in move for path: '${key}': ${problem}`,
};
const MOVE_TO: PathWords = {
  container: (path) => `move operation does not apply: doc is missing destination path: ${path}`,
  element: (path, _, problem) => `error in move for path: '${path}': ${problem}`,
};
const COPY_FROM: PathWords = {
  container: (path) => `copy operation does not apply: doc is missing from path: ${path}`,
  element: (path, _, problem) => `error in copy for from: '${path}': ${problem}`,
};
const COPY_TO: PathWords = {
  container: (path) => `copy operation does not apply: doc is missing destination path: ${path}`,
  element: (_path, _key, problem) => `error while adding value during copy: ${problem}`,
};

/** Runs a step with the tokens of the pointer. */
function at<T>({ container, element }: PathWords, { text, tokens }: Pointer, run: (tokens: readonly string[]) => T): T {
  if (tokens.length > MAXIMUM_TOKENS) throw patchRejected('a path is too deep');
  try {
    return run(tokens);
  } catch (error) {
    if (!(error instanceof PatchPathError)) throw error;
    throw patchRejected(
      error.misses === 'container'
        ? `${container(text)}: ${error.message}`
        : element(text, tokens.at(-1) ?? '', error.message),
    );
  }
}

function pathOf({ op, path }: JsonPatchOperation): Pointer {
  if (path !== undefined) return path;
  const reason = op === 'replace' || op === 'test' ? 'operation missing path field: ' : '';
  throw patchRejected(`${op} operation failed to decode path: ${reason}missing value`);
}

function fromOf({ op, from }: JsonPatchOperation): Pointer {
  if (from !== undefined) return from;
  throw patchRejected(`${op} operation failed to decode from: operation, missing from field: missing value`);
}
