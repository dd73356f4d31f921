import { counterFacts, histogramFacts, type MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { PolicyObserver } from '../policies/index.js';

const durations = [0.0000005, 0.001, 0.01, 0.1, 1];
const validated = ['policy', 'policy_binding', 'error_type', 'enforcement_action'] as const;
const mutated = ['policy', 'policy_binding', 'error_type'] as const;

/** Upstream: apiserver `pkg/admission/plugin/policy/validating/metrics` and `policy/mutating/metrics`, release 1.36. */
export const policyFacts = {
  validations: counterFacts(
    'apiserver_validating_admission_policy_check_total',
    'BETA',
    validated,
    'Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.',
  ),
  validationDuration: histogramFacts(
    'apiserver_validating_admission_policy_check_duration_seconds',
    'BETA',
    validated,
    durations,
    'Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.',
  ),
  mutations: counterFacts(
    'apiserver_mutating_admission_policy_check_total',
    'ALPHA',
    mutated,
    'Mutation admission policy check total, labeled by policy and further identified by binding.',
  ),
  mutationDuration: histogramFacts(
    'apiserver_mutating_admission_policy_check_duration_seconds',
    'ALPHA',
    mutated,
    durations,
    'Mutation admission latency for individual mutation expressions in seconds, labeled by policy and binding.',
  ),
};

/** Counts and times expressions of admission policies. */
export function policyMetrics(registry: MetricRegistry): PolicyObserver {
  const validations = registry.numbers(policyFacts.validations);
  const validationDuration = registry.histograms(policyFacts.validationDuration);
  const mutations = registry.numbers(policyFacts.mutations);
  const mutationDuration = registry.histograms(policyFacts.mutationDuration);
  return {
    validated({ policy, binding, outcome }, action, seconds) {
      validations.with(policy, binding, outcome, action).value++;
      validationDuration.with(policy, binding, outcome, action).observe(seconds);
    },
    mutated({ policy, binding, outcome }, seconds) {
      mutations.with(policy, binding, outcome).value++;
      mutationDuration.with(policy, binding, outcome).observe(seconds);
    },
  };
}
