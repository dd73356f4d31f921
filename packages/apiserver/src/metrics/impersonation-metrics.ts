import { counterFacts, exponentialBuckets, histogramFacts, type MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { ImpersonationObserver } from '../filters/index.js';

const labels = ['mode', 'decision'] as const;
const buckets = exponentialBuckets(0.001, 2, 15);

/** Upstream: apiserver `pkg/endpoints/filters/impersonation/metrics`, release 1.36. */
export const impersonationFacts = {
  attempts: counterFacts(
    'apiserver_impersonation_attempts_total',
    'ALPHA',
    labels,
    'Total number of impersonation attempts split by mode and decision.',
  ),
  attemptDurations: histogramFacts(
    'apiserver_impersonation_attempts_duration_seconds',
    'ALPHA',
    labels,
    buckets,
    'Latency of impersonation attempts in seconds split by mode and decision.',
  ),
  questions: counterFacts(
    'apiserver_impersonation_authorization_attempts_total',
    'ALPHA',
    labels,
    'Total number of authorization checks made by the impersonation handler split by mode and decision.',
  ),
  questionDurations: histogramFacts(
    'apiserver_impersonation_authorization_attempts_duration_seconds',
    'ALPHA',
    labels,
    buckets,
    'Latency of authorization checks made by the impersonation handler in seconds split by mode and decision.',
  ),
};

/** Counts and times impersonation. */
export function impersonationMetrics(registry: MetricRegistry): ImpersonationObserver {
  const attempts = registry.numbers(impersonationFacts.attempts);
  const attemptDurations = registry.histograms(impersonationFacts.attemptDurations);
  const questions = registry.numbers(impersonationFacts.questions);
  const questionDurations = registry.histograms(impersonationFacts.questionDurations);
  return {
    attempted: (mode, decision, seconds) => {
      attempts.with(mode, decision).value++;
      attemptDurations.with(mode, decision).observe(seconds);
    },
    asked: (mode, decision, seconds) => {
      questions.with(mode, decision).value++;
      questionDurations.with(mode, decision).observe(seconds);
    },
  };
}
