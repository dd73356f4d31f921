import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { AdmissionAttributes, AdmissionObserver, AdmissionPlugin } from '../admission/index.js';
import { requestFacts } from './request-facts.js';
import { timed } from './timed.js';

/** Times all plugins of a step together. */
export function admissionSteps(registry: MetricRegistry): AdmissionObserver {
  const durations = registry.histograms(requestFacts.admissionStepDuration);
  return {
    stepped: (type, operation, milliseconds, refused) =>
      durations.with(type, operation, String(refused)).observe(milliseconds / 1000),
  };
}

/** Wraps plugins with timing. Upstream: `WithControllerMetrics` of apiserver `pkg/admission/metrics`. */
export function observedPlugins(
  plugins: readonly AdmissionPlugin[],
  registry: MetricRegistry,
): readonly AdmissionPlugin[] {
  const durations = registry.histograms(requestFacts.admissionDuration);
  return plugins.map((plugin) => {
    const { name } = plugin;
    const measured =
      (type: 'admit' | 'validate', step: (attributes: AdmissionAttributes) => void | Promise<void>) =>
      (attributes: AdmissionAttributes): void | Promise<void> =>
        timed(
          () => step(attributes),
          (seconds, outcome) =>
            durations.with(name, type, attributes.operation, String(outcome === undefined)).observe(seconds),
        );
    return {
      name,
      ...(plugin.resources === undefined ? {} : { resources: plugin.resources }),
      handles: (operation) => plugin.handles(operation),
      ...('admit' in plugin ? { admit: measured('admit', (attributes) => plugin.admit?.(attributes)) } : {}),
      ...('validate' in plugin
        ? { validate: measured('validate', (attributes) => plugin.validate?.(attributes)) }
        : {}),
    };
  });
}
