import type { Clock } from '@binnacle/apimachinery/clock';
import type { HistogramSeries, MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { AdmissionAttributes, AdmissionObserver, AdmissionPlugin, Operation } from '../admission/index.js';
import { requestFacts } from './request-facts.js';
import { timed } from './timed.js';

/** Times all plugins of a step together. */
export function admissionSteps(registry: MetricRegistry, clock: Clock): AdmissionObserver {
  const durations = registry.histograms(requestFacts.admissionStepDuration);
  return {
    begun: (type, operation) => {
      const start = clock.monotonic();
      return (refused) => durations.with(type, operation, String(refused)).observe((clock.monotonic() - start) / 1000);
    },
  };
}

/** Wraps plugins with timing. Upstream: `WithControllerMetrics` of apiserver `pkg/admission/metrics`. */
export function observedPlugins(
  plugins: readonly AdmissionPlugin[],
  registry: MetricRegistry,
  clock: Clock,
): readonly AdmissionPlugin[] {
  const durations = registry.histograms(requestFacts.admissionDuration);
  return plugins.map((plugin) => {
    const { name } = plugin;
    const measured = (
      type: 'admit' | 'validate',
      step: (attributes: AdmissionAttributes) => void | Promise<void>,
    ): ((attributes: AdmissionAttributes) => void | Promise<void>) => {
      const passed = new Map<Operation, HistogramSeries>();
      const seriesOf = (operation: Operation): HistogramSeries => {
        let series = passed.get(operation);
        if (series === undefined) passed.set(operation, (series = durations.with(name, type, operation, 'false')));
        return series;
      };
      return timed(clock, step, (seconds, outcome, { operation }) => {
        const series = outcome === undefined ? durations.with(name, type, operation, 'true') : seriesOf(operation);
        series.observe(seconds);
      });
    };
    return {
      name,
      ...(plugin.resources === undefined ? {} : { resources: plugin.resources }),
      handles: (operation) => plugin.handles(operation),
      ...(plugin.createCondition && {
        createCondition: (attributes, isRetry) => plugin.createCondition?.(attributes, isRetry),
      }),
      ...(plugin.ordersDeletes && { ordersDeletes: (attributes) => plugin.ordersDeletes?.(attributes) ?? false }),
      ...('admit' in plugin ? { admit: measured('admit', (attributes) => plugin.admit?.(attributes)) } : {}),
      ...('validate' in plugin
        ? { validate: measured('validate', (attributes) => plugin.validate?.(attributes)) }
        : {}),
    };
  });
}
