import type { HistogramSeries, MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { Filter } from '../request/index.js';
import { requestFacts } from './request-facts.js';

/** Times filters. `now`: milliseconds. Returns the filter with its time counted under upstream's name. */
export function filterTimes(registry: MetricRegistry, now: () => number): (name: string, filter: Filter) => Filter {
  const durations = registry.histograms(requestFacts.filterDuration);
  return (name, filter) => timedFilter(filter, durations.with(name), now);
}

/** A request that the filter refuses or answers does not count. */
function timedFilter(filter: Filter, series: HistogramSeries, now: () => number): Filter {
  return {
    name: filter.name,
    enter: (context) => {
      const start = now();
      const pending = filter.enter(context);
      if (pending instanceof Promise) return pending.then(() => series.observe((now() - start) / 1000));
      series.observe((now() - start) / 1000);
      return undefined;
    },
    leave: (context) => filter.leave?.(context),
  };
}
