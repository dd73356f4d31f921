import {
  encodeJsonInSteps,
  isObject,
  type JsonObject,
  type JsonValue,
  keysInSteps,
  MAX_JSON_DEPTH,
  setOwn,
} from '../json/index.js';
import { quoteGo, requestEntityTooLarge } from '../status/index.js';
import { finish, Pace, type Steps, WorkBudget } from '../work/index.js';
import { isDeeperThanInSteps } from './depth.js';
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
  /** The numbers of the patch as they are written. Receives those of the result. */
  readonly numbers?: PatchedNumbers;
}

const MAXIMUM_OPERATIONS = 10_000;
const MAXIMUM_COPIED_BYTES = 3 * 1024 * 1024;
/** About a millisecond of copying. */
const VALUES_PER_STEP = 5000;

/**
 * RFC 6902. Applies all operations in order, or none. Throws a StatusError: 400 if `patch` is not a list of operations,
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
    yield* run.apply(readOperation(operation));
    if (budget.endsStep()) yield;
  }
  if (yield* isDeeperThanInSteps(run.result, MAX_JSON_DEPTH)) throw patchRejected('the result nests too deeply');
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

  *apply(operation: JsonPatchOperation): Steps<void> {
    const { op } = operation;
    const part: Part = { value: operation.value, text: this.#numbers.get(operation.source)?.get('value') };
    const document = this.#document;
    switch (op) {
      case 'add':
        yield* at(ADD, pathOf(operation), (tokens) => document.add(tokens, part));
        break;
      case 'replace':
        yield* this.#replace(pathOf(operation), part);
        break;
      case 'remove':
        yield* at(REMOVE, pathOf(operation), (tokens) => document.remove(tokens));
        break;
      case 'test':
        yield* this.#test(pathOf(operation), part);
        break;
      case 'move': {
        const moved = yield* at(MOVE_FROM, fromOf(operation), (tokens) => document.remove(tokens));
        yield* at(MOVE_TO, pathOf(operation), (tokens) => document.add(tokens, moved));
        break;
      }
      case 'copy': {
        const copied = read(COPY_FROM, fromOf(operation), (tokens) => document.get(tokens));
        const copy = yield* this.#copyOf(copied);
        yield* at(COPY_TO, pathOf(operation), (tokens) => document.add(tokens, copy));
        break;
      }
      default:
        throw patchRejected(`Unexpected kind: ${op}`);
    }
  }

  *#replace(path: Pointer, part: Part): Steps<void> {
    if (path.text === '') this.#document.replaceRoot(part.value ?? null);
    else yield* at(REPLACE, path, (tokens) => this.#document.replace(tokens, part));
  }

  *#test(path: Pointer, expected: Part): Steps<void> {
    const found = path.text === '' ? { value: this.result } : read(TEST, path, (tokens) => this.#document.get(tokens));
    const { value = null, text }: Part = found;
    if (yield* this.#numbers.areEqual({ value, text }, expected)) return;
    throw patchRejected(new JsonPatchTestError(`testing value ${path.text} failed: test failed`));
  }

  *#copyOf({ value = null, text }: Part): Steps<Part> {
    if (yield* isDeeperThanInSteps(value, MAX_JSON_DEPTH)) throw patchRejected('a copied value nests too deeply');
    this.#bytesLeft -= (yield* encodeJsonInSteps(value)).length;
    if (this.#bytesLeft < 0) throw patchRejected('copy operations copy too much');
    return { value: yield* this.#deepCopy(value, new Pace(VALUES_PER_STEP)), text };
  }

  *#deepCopy(value: JsonValue, pace: Pace): Steps<JsonValue> {
    if (pace.endsStep()) yield;
    if (Array.isArray(value)) {
      const list: JsonValue[] = [];
      for (const item of value) list.push(yield* this.#deepCopy(item, pace));
      this.#numbers.share(value, list);
      return list;
    }
    if (!isObject(value)) return value;
    const object: JsonObject = {};
    for (const key of yield* keysInSteps(value)) {
      const field = value[key];
      if (field !== undefined) setOwn(object, key, yield* this.#deepCopy(field, pace));
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

/** Reads with the tokens of the pointer. */
function read<T>(words: PathWords, pointer: Pointer, run: (tokens: readonly string[]) => T): T {
  try {
    return run(tokensOf(pointer));
  } catch (error) {
    throw inWords(error, words, pointer);
  }
}

/** Like {@link read}, for what may take long. */
function* at<T>(words: PathWords, pointer: Pointer, run: (tokens: readonly string[]) => Steps<T>): Steps<T> {
  try {
    return yield* run(tokensOf(pointer));
  } catch (error) {
    throw inWords(error, words, pointer);
  }
}

function tokensOf({ tokens }: Pointer): readonly string[] {
  if (tokens.length > MAXIMUM_TOKENS) throw patchRejected('a path is too deep');
  return tokens;
}

function inWords(error: unknown, { container, element }: PathWords, { text, tokens }: Pointer): unknown {
  if (!(error instanceof PatchPathError)) return error;
  return patchRejected(
    error.misses === 'container'
      ? `${container(text)}: ${error.message}`
      : element(text, tokens.at(-1) ?? '', error.message),
  );
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
