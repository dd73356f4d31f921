import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { healthFacts } from './process-facts.js';

/** Counts results of health checks by name and root. */
export function healthMetrics(registry: MetricRegistry): (name: string, root: string, passed: boolean) => void {
  const current = registry.numbers(healthFacts.check);
  const all = registry.numbers(healthFacts.checks);
  return (name, root, passed) => {
    current.with(name, root).value = passed ? 1 : 0;
    all.with(name, root, passed ? 'success' : 'error').value++;
  };
}
