import {
  isObject,
  type JsonDetails,
  JsonNumberRangeError,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJsonInSteps,
  StrictErrors,
  unstructuredDetails,
} from '@binnacle/apimachinery/json';
import {
  applyJsonPatchInSteps,
  applyMergePatchInSteps,
  applyStrategicMergePatchInSteps,
  conversionProblem,
  isInOperationField,
  jsonPatchedTextInSteps,
  mergePatchedTextInSteps,
  PatchedNumbers,
  strategicPatchText,
  unknownOperationFields,
} from '@binnacle/apimachinery/patch';
import { goKindOf } from '@binnacle/apimachinery/serializer';
import { badRequest, quoteGo } from '@binnacle/apimachinery/status';
import type { WorkBudget } from '@binnacle/apimachinery/work';
import type { KindCodec } from '../codec/index.js';
import { inSlices } from '../slices/index.js';

/** The result of a patch. */
export interface Patched {
  readonly outcome: JsonValue;
  /** Facts about values of the patch that the outcome contains. */
  readonly details: JsonDetails | undefined;
}

/** One kind of patch, read from the body of a request. */
export interface PatchMechanism {
  /** Strict decoding errors of the patch itself, in upstream's words. */
  readonly strictErrors: readonly string[];
  /** Returns a new object that shares what it can with `current`. Throws a StatusError. */
  apply(current: JsonObject, codec: KindCodec, budget: WorkBudget): Patched | Promise<Patched>;
  /** The text that an error quotes when the result of {@link apply} is not an object of the kind. */
  shown(current: JsonObject, patched: Patched): string | Promise<string>;
  /** The reason for that error, where upstream does not read the result as JSON. */
  problem(outcome: JsonValue, codec: KindCodec): string | undefined;
}

export type PatchType = keyof typeof mechanisms;

const mechanisms = {
  'application/json-patch+json': jsonPatch,
  'application/merge-patch+json': mergePatch,
  'application/strategic-merge-patch+json': strategicMergePatch,
};

export function isPatchType(type: string): type is PatchType {
  return Object.hasOwn(mechanisms, type);
}

/** Throws a 400 for a body that is not JSON. Upstream: apiserver `handlers/patch.go`. */
export function patchMechanism(type: PatchType, body: Buffer): Promise<PatchMechanism> {
  return mechanisms[type](body);
}

async function jsonPatch(body: Buffer): Promise<PatchMechanism> {
  const read = await readPatch(body, 'error decoding patch: ', 'struct field jsonPatchOp.value');
  const patch = read.patch ?? [];
  const duplicates = duplicateFields(read.duplicates.filter(isInOperationField));
  const strictErrors = new StrictErrors();
  for (const text of [...duplicates, ...unknownOperationFields(patch)]) strictErrors.add(`json patch ${text}`);
  return {
    strictErrors: strictErrors.texts,
    apply: async (current, _, budget) => {
      const numbers = new PatchedNumbers(read.details);
      const outcome = await inSlices(applyJsonPatchInSteps(current, patch, { budget, numbers }));
      return { outcome, details: numbers.details };
    },
    shown: (_, { outcome, details }) => inSlices(jsonPatchedTextInSteps(patch, outcome, details)),
    problem: () => undefined,
  };
}

async function mergePatch(body: Buffer): Promise<PatchMechanism> {
  const { patch, duplicates, details: read } = await readPatch(body, 'error decoding patch: ');
  if (patch === null) throw badRequest('Invalid JSON Patch');
  return {
    strictErrors: duplicateFields(duplicates),
    apply: async (current) => {
      const numbers = new PatchedNumbers(read);
      const changes = asObject(patch, 'error decoding patch: ');
      const outcome = await inSlices(applyMergePatchInSteps(current, changes, numbers));
      return { outcome, details: numbers.details };
    },
    shown: (current, { outcome, details }) => inSlices(mergePatchedTextInSteps(current, patch, outcome, details)),
    problem: () => undefined,
  };
}

async function strategicMergePatch(body: Buffer): Promise<PatchMechanism> {
  const { patch: read, duplicates } = await readPatch(body, '');
  const patch = read ?? {};
  const { apply, shown, problem } = {
    apply: async (current: JsonObject, codec: KindCodec) => {
      const outcome = await inSlices(applyStrategicMergePatchInSteps(current, asObject(patch, ''), codec.schema));
      return { outcome: withOwnKind(outcome, codec), details: unstructuredDetails };
    },
    shown: () => strategicPatchText(asObject(patch, '')),
    problem: (outcome: JsonValue, codec: KindCodec) =>
      conversionProblem(outcome, { kind: 'struct', type: codec.schema }),
  };
  return { strictErrors: duplicateFields(duplicates), apply, shown, problem };
}

/**
 * Upstream converts a strategically patched object to the Go type, and from there on ignores a kind in the patch. A kind
 * or version that is not text fails in the conversion.
 */
function withOwnKind(outcome: JsonObject, { apiVersion, groupVersionKind }: KindCodec): JsonObject {
  const given = [outcome['kind'] ?? '', outcome['apiVersion'] ?? ''];
  return given.every((value) => typeof value === 'string')
    ? { ...outcome, kind: groupVersionKind.kind, apiVersion }
    : outcome;
}

function asObject(patch: JsonValue, prefix: string): JsonObject {
  if (isObject(patch)) return patch;
  throw badRequest(`${prefix}json: cannot unmarshal ${goKindOf(patch)} into Go value of type map[string]interface {}`);
}

function duplicateFields(paths: readonly string[]): string[] {
  return paths.map((path) => `duplicate field ${quoteGo(path)}`);
}

/** `numberTarget`: the Go type of numbers, for errors. */
async function readPatch(
  body: Buffer,
  prefix: string,
  numberTarget = 'value',
): Promise<{ patch: JsonValue; duplicates: readonly string[]; details: JsonDetails | undefined }> {
  try {
    const { value, duplicates, details } = await inSlices(parseJsonInSteps(body));
    return { patch: value, duplicates, details };
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(`${prefix}${error.message}`);
    if (error instanceof JsonNumberRangeError) {
      throw badRequest(`${prefix}${error.message.replace('Go value', `Go ${numberTarget}`)}`);
    }
    throw error;
  }
}
