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
export { type Family, type GatheredMetric, MetricRegistry, type Readings } from './registry.js';
export { HistogramSeries, NumberSeries } from './series.js';
export { TimingSeries } from './timing-series.js';
export { formatText, TEXT_FORMAT, textPieces } from './text-format.js';
