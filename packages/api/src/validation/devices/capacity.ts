import { Quantity } from '@binnacle/apimachinery/quantity';
import { type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import { errorsOfEach } from '@binnacle/apimachinery/validation';
import type {
  CapacityRequestPolicy,
  CapacityRequestPolicyRange,
  DeviceCapacity,
} from '../../generated/types/resource-v1.js';
import { list } from '../common.js';
import { validateSet } from './collections.js';

// How a device's capacity may be shared. Upstream: `validateRequestPolicy`.

const OPTIONS_MAXIMUM = 10;

export function validateDeviceCapacity(capacity: DeviceCapacity, path: string, shared: boolean): FieldError[] {
  const policy = capacity.requestPolicy;
  if (policy === undefined) return [];
  const field = `${path}.requestPolicy`;
  if (!shared) return [forbiddenField(field, 'allowMultipleAllocations must be true')];
  return requestPolicy(Quantity.parse(capacity.value ?? '0'), policy, field);
}

function requestPolicy(capacity: Quantity, policy: CapacityRequestPolicy, field: string): FieldError[] {
  const values = list(policy.validValues);
  const { validRange } = policy;
  if (values.length > 0 && validRange !== undefined) {
    const detail =
      'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
    return [forbiddenField(field, detail)];
  }
  if (values.length === 0 && validRange === undefined) return [];
  if (policy.default === undefined) {
    const kind = values.length > 0 ? 'validValues' : 'validRange';
    return [required(`${field}.default`, `required when ${kind} is defined`)];
  }
  const standard = Quantity.parse(policy.default);
  if (validRange !== undefined) return range(standard, capacity, validRange, `${field}.validRange`);
  return options(
    standard,
    capacity,
    values.map((value) => Quantity.parse(value)),
    `${field}.validValues`,
  );
}

function options(standard: Quantity, capacity: Quantity, values: readonly Quantity[], field: string): FieldError[] {
  const unsorted = errorsOfEach(values, (value, index) => {
    const previous = values[index - 1];
    if (previous === undefined || previous.compare(value) <= 0) return [];
    return [invalidValue(`${field}[${index}]`, value.toString(), 'values must be sorted in ascending order')];
  });
  const errors = validateSet(
    values,
    OPTIONS_MAXIMUM,
    field,
    (value, path) =>
      value.compare(capacity) > 0
        ? [invalidValue(path, value.toString(), `option is larger than capacity value: ${capacity.toString()}`)]
        : [],
    (value) => String(value.asInt()),
  );
  // Upstream looks for the default only while it validates the items, which it skips when there are too many.
  const found = values.length <= OPTIONS_MAXIMUM && values.some((value) => value.compare(standard) === 0);
  const missing = invalidValue(field, standard.toString(), 'default value is not valid according to the requestPolicy');
  return [...unsorted, ...errors, ...(found ? [] : [missing])];
}

function range(standard: Quantity, capacity: Quantity, given: CapacityRequestPolicyRange, field: string): FieldError[] {
  if (given.min === undefined) return [required(`${field}.min`, 'required when validRange is defined')];
  const least = Quantity.parse(given.min);
  const most = given.max === undefined ? undefined : Quantity.parse(given.max);
  const problem = (name: string, value: Quantity, detail: string): FieldError =>
    invalidValue(`${field}.${name}`, value.toString(), detail);
  const errors: FieldError[] = [];
  if (least.compare(capacity) > 0) {
    errors.push(problem('min', least, `min is larger than capacity value: ${capacity.toString()}`));
  }
  if (standard.compare(least) < 0) {
    errors.push(problem('min', standard, `default is less than min: ${least.toString()}`));
  }
  if (most !== undefined) {
    if (least.compare(most) > 0) {
      errors.push(problem('max', least, `min is larger than max: ${most.toString()}`));
    }
    if (most.compare(capacity) > 0) {
      errors.push(problem('max', most, `max is larger than capacity value: ${capacity.toString()}`));
    }
    if (standard.compare(most) > 0) {
      errors.push(problem('max', standard, `default is more than max: ${most.toString()}`));
    }
  }
  if (given.step === undefined) return errors;
  const step = Quantity.parse(given.step);
  const next = least.add(step);
  if (next.compare(capacity) > 0) {
    const detail = `one step ${next.toString()} is larger than capacity value: ${capacity.toString()}`;
    errors.push(problem('step', step, detail));
  }
  const aside = [standard, ...(most === undefined ? [] : [most])].filter((value) => !onStep(value, least, step));
  const detail = `value is not a multiple of a given step (${step.toString()}) from (${least.toString()})`;
  return [...errors, ...aside.map((value) => problem('step', value, detail))];
}

function onStep(value: Quantity, least: Quantity, step: Quantity): boolean {
  const size = step.asInt();
  return size === 0n || (value.asInt() - least.asInt()) % size === 0n;
}
