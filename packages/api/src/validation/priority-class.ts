import { type FieldError, forbiddenField } from '@binnacle/apimachinery/status';
import { validateImmutable } from '@binnacle/apimachinery/validation';
import type { PriorityClass } from '../generated/types/scheduling-v1.js';
import { finalizerDomains, optionalOneOf } from './common.js';

// Upstream: `ValidatePriorityClass`.

const SYSTEM_PREFIX = 'system-';
const USER_MAXIMUM = 1_000_000_000;
/** The built-in classes and their values. */
export const SYSTEM_PRIORITY_CLASSES: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);

export function validatePriorityClass(object: PriorityClass): FieldError[] {
  const name = object.metadata?.name ?? '';
  const errors: FieldError[] = [];
  if (name.startsWith(SYSTEM_PREFIX)) {
    const problem = systemProblem(object, name);
    if (problem !== undefined) {
      const detail = `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: ${problem}`;
      errors.push(forbiddenField('metadata.name', detail));
    }
  } else if ((object.value ?? 0) > USER_MAXIMUM) {
    const detail = `maximum allowed value of a user defined priority is ${USER_MAXIMUM}`;
    errors.push(forbiddenField('value', detail));
  }
  const policies = ['PreemptLowerPriority', 'Never'];
  return [...errors, ...optionalOneOf(object.preemptionPolicy, policies, 'preemptionPolicy')];
}

function systemProblem(object: PriorityClass, name: string): string | undefined {
  const value = SYSTEM_PRIORITY_CLASSES.get(name);
  if (value === undefined) return `${name} is not a known system priority class`;
  if ((object.value ?? 0) !== value) return `value of ${name} PriorityClass must be ${value}`;
  return object.globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

export function validatePriorityClassUpdate(object: PriorityClass, old: PriorityClass): FieldError[] {
  return [
    ...finalizerDomains(object),
    ...((object.value ?? 0) === (old.value ?? 0) ? [] : [forbiddenField('value', 'may not be changed in an update.')]),
    ...validateImmutable(object.preemptionPolicy, old.preemptionPolicy, 'preemptionPolicy'),
  ];
}
