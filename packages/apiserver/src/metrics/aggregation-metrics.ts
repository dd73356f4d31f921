import { counterFacts, gaugeFacts, type MetricRegistry } from '@binnacle/apimachinery/metrics';

/** Metrics of APIServices. Upstream: kube-aggregator `pkg/controllers/status/metrics`, release 1.36. */
export const aggregationFacts = {
  unavailable: gaugeFacts(
    'aggregator_unavailable_apiservice',
    'ALPHA',
    ['name'],
    'Gauge of APIServices which are marked as unavailable broken down by APIService name.',
  ),
  becameUnavailable: counterFacts(
    'aggregator_unavailable_apiservice_total',
    'ALPHA',
    ['name', 'reason'],
    'Counter of APIServices which are marked as unavailable broken down by APIService name and reason.',
  ),
};

export interface ObservedService {
  readonly name: string;
  readonly isAvailable: boolean;
}

/** Reads the availability of APIServices; the result counts those that become unavailable. */
export function aggregationMetrics(
  registry: MetricRegistry,
  services: () => Iterable<ObservedService>,
): (name: string, reason: string) => void {
  registry.readings(aggregationFacts.unavailable, () =>
    Array.from(services(), ({ name, isAvailable }) => [[name], isAvailable ? 0 : 1] as const),
  );
  const became = registry.numbers(aggregationFacts.becameUnavailable);
  return (name, reason) => {
    became.with(name, reason).value++;
  };
}
