import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { healthFacts } from './process-facts.js';

/** Told of the result of each health check that is run: its name, the root it was asked through, whether it passed. */
export function healthMetrics(registry: MetricRegistry): (name: string, root: string, passed: boolean) => void {
  const current = registry.numbers(healthFacts.check);
  const all = registry.numbers(healthFacts.checks);
  return (name, root, passed) => {
    current.with(name, root).value = passed ? 1 : 0;
    all.with(name, root, passed ? 'success' : 'error').value++;
  };
}
