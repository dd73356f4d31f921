import { histogramFacts } from '@binnacle/apimachinery/metrics';

/** Go's default buckets. */
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Upstream: apiserver `pkg/cel/metrics`, release 1.36. There too, only rules of custom resources count. */
export const expressionFacts = {
  compilation: histogramFacts(
    'apiserver_cel_compilation_duration_seconds',
    'BETA',
    [],
    seconds,
    'Time to compile the rules of one level of a schema of a custom resource, on first use, in seconds.',
  ),
  evaluation: histogramFacts(
    'apiserver_cel_evaluation_duration_seconds',
    'BETA',
    [],
    seconds,
    'Time to evaluate the rules of a custom resource for one object, in seconds.',
  ),
};
