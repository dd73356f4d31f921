import { duplicate, type FieldError, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import { invalidFor, validateLabelName, validateLabelValue } from '@binnacle/apimachinery/validation';
import type { DeviceTaint, DeviceToleration } from '../../generated/types/resource-v1.js';
import { each, list, optionalOneOf, requireOneOf } from '../common.js';
import { validateItems } from './collections.js';

// Upstream: `pkg/apis/resource/validation`.

const EFFECTS = ['NoExecute', 'NoSchedule', 'None'];
const OPERATORS = ['Equal', 'Exists'];
const CONDITIONS_MAXIMUM = 4;

function labelValue(value: string, field: string): FieldError[] {
  return invalidFor(field, value, validateLabelValue(value));
}

export function validateDeviceTaint(taint: Partial<DeviceTaint>, path: string): FieldError[] {
  return [
    ...validateLabelName(taint.key ?? '', `${path}.key`),
    ...labelValue(taint.value ?? '', `${path}.value`),
    ...requireOneOf(taint.effect, EFFECTS, `${path}.effect`),
  ];
}

export function validateDeviceTolerations(
  tolerations: readonly DeviceToleration[] | undefined,
  field: string,
): FieldError[] {
  return each(tolerations, field, ({ key = '', operator = '', value = '', effect = '' }, path) => [
    ...(key === '' ? [] : validateLabelName(key, `${path}.key`)),
    ...tolerated(operator, value, path),
    ...optionalOneOf(effect || undefined, EFFECTS, `${path}.effect`),
  ]);
}

function tolerated(operator: string, value: string, path: string): FieldError[] {
  switch (operator) {
    case 'Exists':
      return value === '' ? [] : [invalidValue(`${path}.value`, value, 'must be empty for operator `Exists`')];
    case 'Equal':
      return labelValue(value, `${path}.value`);
    case '':
      return [required(`${path}.operator`, '')];
    default:
      return [notSupported(`${path}.operator`, operator, OPERATORS)];
  }
}

/**
 * Conditions that a device waits for before its pod is bound. Success and failure conditions come together or not at
 * all.
 */
export function validateBindingConditions(
  given: {
    readonly bindingConditions?: string[] | undefined;
    readonly bindingFailureConditions?: string[] | undefined;
  },
  path: string,
): FieldError[] {
  const good = list(given.bindingConditions);
  const bad = list(given.bindingFailureConditions);
  const known = new Set(good);
  const goodPath = `${path}.bindingConditions`;
  const badPath = `${path}.bindingFailureConditions`;
  const errors = [
    ...validateItems(good, CONDITIONS_MAXIMUM, goodPath, validateLabelName),
    ...validateItems(bad, CONDITIONS_MAXIMUM, badPath, validateLabelName),
    ...repeated(good, goodPath, () => []),
    ...repeated(bad, badPath, (condition, at) =>
      known.has(condition)
        ? [invalidValue(at, condition, 'bindingFailureConditions must not overlap with bindingConditions')]
        : [],
    ),
  ];
  if (good.length === 0 && bad.length > 0) {
    const detail = 'bindingConditions are required to use bindingFailureConditions';
    errors.push(invalidValue(goodPath, given.bindingConditions, detail));
  }
  if (bad.length === 0 && good.length > 0) {
    const detail = 'bindingFailureConditions are required to use bindingConditions';
    errors.push(invalidValue(badPath, given.bindingFailureConditions, detail));
  }
  return errors;
}

/** Reports a duplicate for each repetition. */
function repeated(
  conditions: readonly string[],
  field: string,
  more: (condition: string, path: string) => FieldError[],
): FieldError[] {
  const seen = new Set<string>();
  return each(conditions, field, (condition, path) => {
    const errors = seen.has(condition) ? [duplicate(path, condition)] : [];
    seen.add(condition);
    return [...errors, ...more(condition, path)];
  });
}
