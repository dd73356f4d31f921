import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';
import type { PodDisruptionBudget } from '../../generated/types/policy-v1.js';
import { optionalOneOf, shownSelector } from '../common.js';
import { validateAtMostAll, validateIntOrPercent } from './int-or-percent.js';
import { labelSelector } from '../label-selector.js';

/** Upstream: `ValidatePodDisruptionBudgetSpec`. Updates use the same rule. */
export function validatePodDisruptionBudget(object: PodDisruptionBudget): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = object.spec ?? {};
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = {
      MinAvailable: minAvailable,
      Selector: shownSelector(selector),
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
    };
    errors.push(invalidValue('spec', shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const [name, value] of Object.entries({ minAvailable, maxUnavailable })) {
    if (value === undefined) continue;
    errors.push(...validateIntOrPercent(value, `spec.${name}`), ...validateAtMostAll(value, `spec.${name}`));
  }
  return [
    ...errors,
    ...labelSelector(selector, 'spec.selector'),
    ...optionalOneOf(unhealthyPodEvictionPolicy, ['AlwaysAllow', 'IfHealthyBudget'], 'spec.unhealthyPodEvictionPolicy'),
  ];
}
