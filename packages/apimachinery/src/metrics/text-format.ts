import { formatFloat } from '../json/index.js';
import type { MetricFacts } from './facts.js';
import type { GatheredMetric } from './registry.js';
import { HistogramSeries, type Series } from './series.js';

/** The media type of {@link formatText}, with the parameters that Go's Prometheus client sends. */
export const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/** Writes metrics in Prometheus' text format. Omits metrics without series and sorts labels by name. */
export function formatText(metrics: readonly GatheredMetric[]): string {
  return [...textPieces(metrics)].join('');
}

/** {@link formatText} in pieces of whole lines, one for each series. A server in use has tens of thousands of series, megabytes of text. */
export function* textPieces(metrics: readonly GatheredMetric[]): Generator<string> {
  for (const { facts, series } of metrics) {
    const order = labelOrder(facts);
    // As Go writes them, because queries match the text of a bucket's bound.
    const bounds = [...(facts.buckets ?? []), Number.POSITIVE_INFINITY].map(formatFloat);
    let head = `# HELP ${facts.name} ${helpOf(facts)}\n# TYPE ${facts.name} ${facts.type}\n`;
    for (const [values, one] of series) {
      yield `${head}${seriesText(facts.name, labelText(order, values), one, bounds)}`;
      head = '';
    }
  }
}

/** The help text, after stability and deprecation as upstream writes them. */
function helpOf({ stability, deprecatedSince, help }: MetricFacts): string {
  const promise = stability === undefined ? '' : `[${stability}] `;
  const deprecated = deprecatedSince === undefined ? '' : `(Deprecated since ${deprecatedSince}) `;
  return `${promise}${deprecated}${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`;
}

function seriesText(name: string, labels: string, series: Series, bounds: readonly string[]): string {
  if (!(series instanceof HistogramSeries)) return `${name}${braced(labels)} ${formatFloat(series.value)}\n`;
  const bucket = `${name}_bucket{${labels}${labels === '' ? '' : ','}le="`;
  let count = 0;
  let text = '';
  for (const [index, observations] of series.counts.entries()) {
    count += observations;
    text += `${bucket}${bounds[index] ?? ''}"} ${formatFloat(count)}\n`;
  }
  const total = `${name}_sum${braced(labels)} ${formatFloat(series.sum)}\n`;
  return `${text}${total}${name}_count${braced(labels)} ${formatFloat(count)}\n`;
}

/** Label names in order, with the index of their value. */
function labelOrder({ labels }: MetricFacts): readonly (readonly [string, number])[] {
  return labels.map((name, index) => [name, index] as const).sort(([one], [other]) => (one < other ? -1 : 1));
}

function labelText(order: readonly (readonly [string, number])[], values: readonly string[]): string {
  return order.map(([name, index]) => `${name}="${escapeValue(values[index] ?? '')}"`).join(',');
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}

const needsEscape = /["\\\n]/;

function escapeValue(value: string): string {
  if (!needsEscape.test(value)) return value;
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
