import type { CustomResourceSubresourceScale } from '@binnacle/api/types/apiextensions-v1';
import { formatGoValue, getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { goTypeName } from '@binnacle/apimachinery/patch';
import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';
import { dottedSteps } from '@binnacle/apimachinery/structural';

const MAXIMUM_REPLICAS = 2 ** 31 - 1;

/** Validates the desired replicas of a scalable object. Upstream: `ValidateScaleSpec`. */
export function validateScaleSpec(
  object: JsonObject,
  { specReplicasPath }: CustomResourceSubresourceScale,
): FieldError[] {
  return validateReplicas(object, specReplicasPath);
}

/** Validates the current replicas and the selector. Upstream: `ValidateScaleStatus`. */
export function validateScaleStatus(object: JsonObject, scale: CustomResourceSubresourceScale): FieldError[] {
  const errors = validateReplicas(object, scale.statusReplicasPath);
  const { labelSelectorPath } = scale;
  if (labelSelectorPath === undefined) return errors;
  const read = readAt(object, labelSelectorPath, 'string', (value) => typeof value === 'string');
  return 'problem' in read ? [...errors, invalidValue(labelSelectorPath, '', read.problem)] : errors;
}

function validateReplicas(object: JsonObject, path: string): FieldError[] {
  const read = readAt(object, path, 'int64', isInteger);
  if ('problem' in read) return [invalidValue(path, 0, read.problem)];
  const replicas = read.value;
  if (typeof replicas !== 'number' && typeof replicas !== 'bigint') return [];
  if (replicas < 0) return [invalidValue(path, replicas, 'should be a non-negative integer')];
  if (replicas <= MAXIMUM_REPLICAS) return [];
  return [invalidValue(path, replicas, `should be less than or equal to ${MAXIMUM_REPLICAS}`)];
}

type Read = { readonly value: JsonValue | undefined } | { readonly problem: string };

/** The value at a path, if it has the type; an absent value is valid. */
function readAt(object: JsonObject, path: string, type: string, isOfType: (value: JsonValue) => boolean): Read {
  const steps = dottedSteps(path);
  const problem = (count: number, value: JsonValue, wanted: string): Read => ({
    problem:
      `.${steps.slice(0, count).join('.')} accessor error: ${formatGoValue(value)} is of the type ` +
      `${value === null ? '<nil>' : goTypeName(value)}, expected ${wanted}`,
  });
  let value: JsonValue | undefined = object;
  for (const [index, step] of steps.entries()) {
    if (value === null) return { value: undefined };
    if (!isObject(value)) return problem(index + 1, value ?? null, 'map[string]interface{}');
    value = getOwn(value, step);
    if (value === undefined) return { value };
  }
  return isOfType(value) ? { value } : problem(steps.length, value, type);
}

function isInteger(value: JsonValue): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}
