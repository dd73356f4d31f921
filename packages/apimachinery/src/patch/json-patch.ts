import { isObject, type JsonObject, type JsonValue, MAX_JSON_DEPTH, setOwn, stringifyJson } from '../json/index.js';
import { quoteGo, requestEntityTooLarge } from '../status/index.js';
import { finish, type Steps, WorkBudget } from '../work/index.js';
import { isDeeperThan } from './depth.js';
import { JsonPatchTestError, PatchPathError, patchRejected } from './errors.js';
import { PatchedDocument } from './json-patch-document.js';
import { type JsonPatchOperation, MAXIMUM_TOKENS, readOperation, readOperations } from './json-patch-operation.js';
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
 * RFC 6902. Applies all operations in order, or none. Throws a StatusError: 400 if `patch` is not a list of operations,
 * 413 for too many operations or too much work, 422 if an operation cannot be applied. Upstream: apiserver
 * `handlers/patch.go`, evanphx/json-patch v4.
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
    const { op, path, from: source = [] } = operation;
    const part: Part = { value: operation.value, text: this.#numbers.get(operation.source)?.get('value') };
    if (Math.max(path.length, source.length) > MAXIMUM_TOKENS) throw patchRejected('a path is too deep');
    const document = this.#document;
    switch (op) {
      case 'add':
        at(ADD, path, () => document.add(path, part));
        break;
      case 'replace':
        at(REPLACE, path, () => document.replace(path, part));
        break;
      case 'remove':
        at(REMOVE, path, () => document.remove(path));
        break;
      case 'test':
        this.#test(path, part);
        break;
      case 'move': {
        const from = sourceOf(operation);
        const moved = at(MOVE_FROM, from, () => document.remove(from));
        at(MOVE_TO, path, () => document.add(path, moved));
        break;
      }
      case 'copy': {
        const from = sourceOf(operation);
        const copy = this.#copyOf(at(COPY_FROM, from, () => document.get(from)));
        at(COPY_TO, path, () => document.add(path, copy));
        break;
      }
      default:
        throw patchRejected(`Unexpected kind: ${op}`);
    }
  }

  #test(path: readonly string[], expected: Part): void {
    const { value = null, text } = at(TEST, path, () => this.#document.get(path));
    if (this.#numbers.areEqual({ value, text }, expected)) return;
    throw patchRejected(new JsonPatchTestError(`testing value ${formatPointer(path)} failed: test failed`));
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

function at<T>({ container, element }: PathWords, path: readonly string[], run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof PatchPathError)) throw error;
    const text = formatPointer(path);
    throw patchRejected(
      error.misses === 'container'
        ? `${container(text)}: ${error.message}`
        : element(text, path.at(-1) ?? '', error.message),
    );
  }
}

function formatPointer(path: readonly string[]): string {
  return path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function sourceOf(operation: JsonPatchOperation): readonly string[] {
  if (operation.from === undefined) throw patchRejected('operation missing from field');
  if (operation.from.length === 0) throw patchRejected('the whole document cannot be moved or copied');
  return operation.from;
}
