import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { WebhookObserver } from '../admissionwebhooks/index.js';
import { webhookFacts } from './webhook-facts.js';

/** Larger codes are counted as this one, so that a webhook cannot make any number of series. Upstream: the same. */
const MAXIMUM_CODE = 600;

/** Counts the calls of admission webhooks. Upstream: apiserver `pkg/admission/metrics`. */
export function webhookMetrics(registry: MetricRegistry): WebhookObserver {
  const durations = registry.histograms(webhookFacts.duration);
  const requests = registry.numbers(webhookFacts.requests);
  const rejections = registry.numbers(webhookFacts.rejections);
  const failedOpen = registry.numbers(webhookFacts.failedOpen);
  const evaluations = registry.histograms(webhookFacts.conditionEvaluations);
  const errors = registry.numbers(webhookFacts.conditionErrors);
  const exclusions = registry.numbers(webhookFacts.conditionExclusions);
  const shown = (code: number): string => String(Math.min(code, MAXIMUM_CODE));
  return {
    called({ name, type, operation }, seconds, code, rejected) {
      durations.with(name, type, operation, String(rejected)).observe(seconds);
      requests.with(name, type, operation, shown(code), String(rejected)).value++;
    },
    rejected({ name, type, operation }, cause, code) {
      rejections.with(name, type, operation, cause, shown(code)).value++;
    },
    failedOpen({ name, type }) {
      failedOpen.with(name, type).value++;
    },
    conditions({ name, type, operation }, seconds, matched, failures) {
      const labels = [name, 'webhook', type, operation] as const;
      evaluations.with(...labels).observe(seconds);
      if (failures > 0) errors.with(...labels).value += failures;
      if (!matched) exclusions.with(...labels).value++;
    },
  };
}
