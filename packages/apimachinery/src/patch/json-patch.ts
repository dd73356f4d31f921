import { deepCopy, deepEqual, type JsonValue, MAX_JSON_DEPTH, stringifyJson } from '../json/index.js';
import { requestEntityTooLarge } from '../status/index.js';
import { finish, type Steps, WorkBudget } from '../work/index.js';
import { isDeeperThan } from './depth.js';
import { patchRejected } from './errors.js';
import { PatchedDocument } from './json-patch-document.js';
import { type JsonPatchOperation, readOperation, readOperations } from './json-patch-operation.js';

export interface JsonPatchLimits {
  /** Default 10000. */
  readonly operations?: number;
  /** Total bytes of JSON that `copy` operations may copy. Default 3 MiB. */
  readonly copiedBytes?: number;
  /** The work that the patch may cost. Default: the limit of a request. */
  readonly budget?: WorkBudget | undefined;
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
  } = limits;
  const operations = readOperations(patch);
  if (operations.length > maximum) {
    throw requestEntityTooLarge(
      `The allowed maximum operations in a JSON patch is ${maximum}, got ${operations.length}`,
    );
  }
  const run = new Run(document, copiedBytes, budget);
  for (const operation of operations) {
    run.apply(readOperation(operation));
    if (budget.endsStep()) yield;
  }
  if (isDeeperThan(run.result, MAX_JSON_DEPTH)) throw patchRejected('the result nests too deeply');
  return run.result;
}

class Run {
  readonly #document: PatchedDocument;
  #bytesLeft: number;

  constructor(document: JsonValue, copiedBytes: number, budget: WorkBudget) {
    this.#document = new PatchedDocument(document, budget);
    this.#bytesLeft = copiedBytes;
  }

  get result(): JsonValue {
    return this.#document.root;
  }

  apply(operation: JsonPatchOperation): void {
    const { op, path, value } = operation;
    if (path.length > MAX_JSON_DEPTH) throw patchRejected('a path is too deep');
    switch (op) {
      case 'add':
        this.#document.add(path, value);
        break;
      case 'replace':
        this.#document.replace(path, value);
        break;
      case 'remove':
        this.#document.remove(path);
        break;
      case 'test':
        if (!deepEqual(this.#document.get(path) ?? null, value)) throw patchRejected('a test failed');
        break;
      case 'move':
        this.#document.add(path, this.#document.remove(sourceOf(operation)));
        break;
      case 'copy':
        this.#document.add(path, this.#copyOf(this.#document.get(sourceOf(operation)) ?? null));
        break;
      default:
        throw patchRejected(`Unexpected kind: ${op}`);
    }
  }

  #copyOf(value: JsonValue): JsonValue {
    if (isDeeperThan(value, MAX_JSON_DEPTH)) throw patchRejected('a copied value nests too deeply');
    this.#bytesLeft -= Buffer.byteLength(stringifyJson(value));
    if (this.#bytesLeft < 0) throw patchRejected('copy operations copy too much');
    return deepCopy(value);
  }
}

function sourceOf(operation: JsonPatchOperation): readonly string[] {
  if (operation.from === undefined) throw patchRejected('operation missing from field');
  if (operation.from.length === 0) throw patchRejected('the whole document cannot be moved or copied');
  return operation.from;
}
