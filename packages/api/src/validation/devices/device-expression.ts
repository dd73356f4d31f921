import {
  ANY,
  BOOL,
  checkExpression,
  DYN,
  type Environment,
  estimateCost,
  formatType,
  KUBERNETES_LIBRARY,
  mapOf,
  objectType,
  opaque,
  parseExpression,
  programProblem,
  sameType,
  SourceError,
  STRING,
  validateLiterals,
} from '@binnacle/apimachinery/cel';
import { type FieldError, forbiddenField, internalFieldError, invalidValue } from '@binnacle/apimachinery/status';
import type { Steps } from '@binnacle/apimachinery/work';
import { sizeOfDevicePath } from './device-sizes.js';

/** The highest cost of a selector, estimated and at run time. Upstream: `CELSelectorExpressionMaxCost`. */
export const DEVICE_SELECTOR_COST = 1_000_000;

const DEVICE = objectType(
  'kubernetes.DRADevice',
  new Map([
    ['driver', STRING],
    ['allowMultipleAllocations', BOOL],
    ['attributes', mapOf(STRING, mapOf(STRING, ANY))],
    ['capacity', mapOf(STRING, mapOf(STRING, opaque('kubernetes.Quantity')))],
  ]),
);

export const DEVICE_ENVIRONMENT: Environment = {
  variables: new Map([['device', DEVICE]]),
  ...KUBERNETES_LIBRARY,
};

/** The errors of expressions by their text. Those without errors are absent. */
export type ExpressionErrors = ReadonlyMap<string, (field: string) => FieldError>;

/** Compiles expressions, each in a step of its own. */
export function* compileDeviceExpressions(sources: Iterable<string>): Steps<ExpressionErrors> {
  const errors = new Map<string, (field: string) => FieldError>();
  for (const source of new Set(sources)) {
    const error = expressionError(source);
    if (error !== undefined) errors.set(source, error);
    yield;
  }
  return errors;
}

/**
 * Compiles the expression of a device selector and bounds its estimated cost. Upstream: dynamic-resource-allocation
 * `cel/compile.go`.
 */
function expressionError(source: string): ((field: string) => FieldError) | undefined {
  const invalid = (detail: string) => (field: string) => invalidValue(field, source, detail);
  try {
    const root = parseExpression(source, { bindings: true });
    const checked = checkExpression(source, root, DEVICE_ENVIRONMENT);
    validateLiterals(checked, DEVICE_ENVIRONMENT);
    const type = checked.types.get(root) ?? DYN;
    if (!sameType(type, BOOL) && !sameType(type, ANY)) {
      return invalid(`must evaluate to bool or the unknown type, not ${formatType(type)}`);
    }
    const flaw = programProblem(checked, DEVICE_ENVIRONMENT);
    if (flaw !== undefined) return (field) => internalFieldError(field, `program instantiation failed: ${flaw}`);
    if (estimateCost(checked, sizeOfDevicePath).max <= DEVICE_SELECTOR_COST) return undefined;
    return (field) => forbiddenField(field, 'too complex, exceeds cost limit');
  } catch (error) {
    if (error instanceof SourceError) return invalid(`compilation failed: ${error.message}`);
    throw error;
  }
}
