import type { AdmissionAttributes, AdmissionPlugin } from '../admission/index.js';
import type { MetricRegistry } from './registry.js';
import { requestFacts } from './request-facts.js';
import { timed } from './timed.js';

/** The same plugins, measured. Upstream: `WithControllerMetrics` of apiserver `pkg/admission/metrics`. */
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
      handles: (operation) => plugin.handles(operation),
      ...('admit' in plugin ? { admit: measured('admit', (attributes) => plugin.admit?.(attributes)) } : {}),
      ...('validate' in plugin
        ? { validate: measured('validate', (attributes) => plugin.validate?.(attributes)) }
        : {}),
    };
  });
}
