export {
  counterFacts,
  exponentialBuckets,
  gaugeFacts,
  histogramFacts,
  type LabelValues,
  type MetricFacts,
  type MetricType,
  type Stability,
} from './facts.js';
export { LabelTree } from './label-tree.js';
export { type Family, MetricRegistry, type Readings } from './registry.js';
export { HistogramSeries, NumberSeries } from './series.js';
export { formatText, formatTextInSteps, TEXT_FORMAT } from './text-format.js';
