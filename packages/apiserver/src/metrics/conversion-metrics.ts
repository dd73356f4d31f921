import type { Clock } from '@binnacle/apimachinery/clock';
import { counterFacts, exponentialBuckets, histogramFacts, type MetricRegistry } from '@binnacle/apimachinery/metrics';

const outcome = ['result', 'failure_type'] as const;

/** Upstream: apiextensions `pkg/apiserver/conversion/metrics.go`, release 1.36. */
export const conversionFacts = {
  requests: counterFacts(
    'apiserver_conversion_webhook_request_total',
    'ALPHA',
    outcome,
    'Counter for conversion webhook requests with success/failure and failure error type',
  ),
  requestDuration: histogramFacts(
    'apiserver_conversion_webhook_duration_seconds',
    'ALPHA',
    outcome,
    [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60],
    'Conversion webhook request latency',
  ),
  conversionDuration: histogramFacts(
    'apiserver_crd_conversion_webhook_duration_seconds',
    'ALPHA',
    ['crd_name', 'from_version', 'to_version', 'succeeded'],
    exponentialBuckets(0.001, 2, 15),
    'CRD webhook conversion duration in seconds',
  ),
};

export type ConversionFailure = 'call' | 'malformed_response' | 'partial_response' | 'invalid_converted_object';

/** Observes the requests of a conversion webhook. It must not throw. */
export interface ConversionObserver {
  /** A request begins. The result must be called when it has ended, without a failure if all objects are converted. */
  begun(fromVersion: string, toVersion: string): (failure?: ConversionFailure) => void;
}

/** The observers of definitions, by their names. */
export function conversionMetrics(registry: MetricRegistry, clock: Clock): (definition: string) => ConversionObserver {
  const requests = registry.numbers(conversionFacts.requests);
  const requestDuration = registry.histograms(conversionFacts.requestDuration);
  const conversionDuration = registry.histograms(conversionFacts.conversionDuration);
  return (definition) => ({
    begun: (fromVersion, toVersion) => {
      const start = clock.monotonic();
      return (failure) => {
        const seconds = (clock.monotonic() - start) / 1000;
        const result = failure === undefined ? 'success' : 'failure';
        const type = failure === undefined ? '' : `conversion_webhook_${failure}_failure`;
        requests.with(result, type).value++;
        requestDuration.with(result, type).observe(seconds);
        conversionDuration.with(definition, fromVersion, toVersion, String(failure === undefined)).observe(seconds);
      };
    },
  });
}
