import { type FieldError, forbiddenField, invalidValue, notSupported } from '@binnacle/apimachinery/status';
import type { Lease } from '../generated/types/coordination-v1.js';
import { qualifiedName } from './common.js';

const STRATEGIES = ['OldestEmulationVersion'];

/** Upstream: `ValidateLeaseSpec`. */
export function validateLease(object: Lease): FieldError[] {
  const { leaseDurationSeconds, leaseTransitions, strategy, preferredHolder } = object.spec ?? {};
  const errors: FieldError[] = [];
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    errors.push(invalidValue('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0'));
  }
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    errors.push(invalidValue('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0'));
  }
  if (strategy !== undefined) errors.push(...strategyErrors(strategy, 'spec.strategy'));
  if (preferredHolder && !strategy) {
    errors.push(forbiddenField('spec.preferredHolder', 'may only be specified if `strategy` is defined'));
  }
  return errors;
}

function strategyErrors(strategy: string, field: string): FieldError[] {
  if (strategy.includes('/')) return qualifiedName(strategy, field);
  return STRATEGIES.includes(strategy) ? [] : [notSupported(`${field}.strategy`, strategy, STRATEGIES)];
}
