import { duplicate, type FieldError, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import { invalidFor, validateLabelName, validateLabelValue } from '@binnacle/apimachinery/validation';
import type { PodSchedulingGate, Toleration, TopologySpreadConstraint } from '../../generated/types/core-v1.js';
import { each, list, optionalOneOf, qualifiedName, requireText } from '../common.js';
import { labelSelector } from '../label-selector.js';

const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Upstream: `ValidateTolerations`. */
export function validateTolerations(tolerations: readonly Toleration[] | undefined, field: string): FieldError[] {
  return each(tolerations, field, (toleration, path) => {
    const { key = '', operator = '', effect = '' } = toleration;
    const errors = key === '' ? [] : validateLabelName(key, `${path}.key`);
    if (key === '' && operator !== 'Exists') {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalidValue(`${path}.operator`, operator, detail));
    }
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(invalidValue(`${path}.effect`, effect, detail));
    }
    errors.push(...tolerationValue(operator, toleration.value ?? '', `${path}.operator`));
    if (effect !== '') errors.push(...optionalOneOf(effect, TAINT_EFFECTS, `${path}.effect`));
    return errors;
  });
}

function tolerationValue(operator: string, value: string, field: string): FieldError[] {
  if (operator === '' || operator === 'Equal') {
    const messages = validateLabelValue(value);
    return messages.length === 0 ? [] : [invalidValue(field, value, messages.join(';'))];
  }
  // Upstream names them although their feature gate is off.
  if (operator === 'Lt' || operator === 'Gt') return [notSupported(field, operator, ['Equal', 'Exists', 'Lt', 'Gt'])];
  if (operator !== 'Exists') return [notSupported(field, operator, ['Equal', 'Exists'])];
  return value === '' ? [] : [invalidValue(field, value, "value must be empty when `operator` is 'Exists'")];
}

export function validateTaintEffect(effect: string | undefined, field: string): FieldError[] {
  return effect ? optionalOneOf(effect, TAINT_EFFECTS, field) : [required(field, '')];
}

/** Upstream: `validateSchedulingGates`. */
export function validateSchedulingGates(gates: readonly PodSchedulingGate[] | undefined, field: string): FieldError[] {
  const seen = new Set<string>();
  return each(gates, field, ({ name }, path) => {
    const errors = [...qualifiedName(name ?? '', path), ...(seen.has(name) ? [duplicate(path, name)] : [])];
    seen.add(name);
    return errors;
  });
}

/** Upstream: `validateTopologySpreadConstraints`. */
export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[] | undefined,
  field: string,
): FieldError[] {
  const lastOf = new Map(list(constraints).map((constraint, index) => [shownPair(constraint), index]));
  return each(constraints, field, (constraint, path, index) => [
    ...(constraint.maxSkew > 0
      ? []
      : [invalidValue(`${path}.maxSkew`, constraint.maxSkew ?? 0, 'must be greater than zero')]),
    ...requireText(constraint.topologyKey, `${path}.topologyKey`, 'can not be empty'),
    ...optionalOneOf(
      constraint.whenUnsatisfiable ?? '',
      ['DoNotSchedule', 'ScheduleAnyway'],
      `${path}.whenUnsatisfiable`,
    ),
    ...(lastOf.get(shownPair(constraint)) === index
      ? []
      : [duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, shownPair(constraint))]),
    ...minimumDomains(constraint, `${path}.minDomains`),
    ...optionalOneOf(constraint.nodeAffinityPolicy, ['Honor', 'Ignore'], `${path}.nodeAffinityPolicy`),
    ...optionalOneOf(constraint.nodeTaintsPolicy, ['Honor', 'Ignore'], `${path}.nodeTaintsPolicy`),
    ...labelSelector(constraint.labelSelector, `${path}.labelSelector`),
  ]);
}

/** The pair that no other constraint may have, as errors show it. */
function shownPair({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string {
  return `{${topologyKey}, ${whenUnsatisfiable}}`;
}

function minimumDomains(constraint: TopologySpreadConstraint, field: string): FieldError[] {
  const { minDomains, whenUnsatisfiable } = constraint;
  if (minDomains === undefined) return [];
  const errors = minDomains > 0 ? [] : [invalidValue(field, minDomains, 'must be greater than zero')];
  if (whenUnsatisfiable !== 'DoNotSchedule') {
    const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
    errors.push(invalidValue(field, minDomains, detail));
  }
  return errors;
}

/** Reports all problems of a label value in one error, as the rules of taints do. */
export function validateTaintValue(value: string, field: string): FieldError[] {
  const messages = validateLabelValue(value);
  return messages.length === 0 ? [] : invalidFor(field, value, [messages.join(';')]);
}
