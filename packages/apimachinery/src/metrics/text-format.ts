import { formatFloat } from '../json/index.js';
import { finish, type Steps } from '../work/index.js';
import type { MetricFacts } from './facts.js';
import type { GatheredMetric } from './registry.js';
import { HistogramSeries, type Series } from './series.js';

/** The media type of {@link formatText}, with the parameters that Go's Prometheus client sends. */
export const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/** Writes metrics in Prometheus' text format. Omits metrics without series and sorts labels by name. */
export function formatText(metrics: readonly GatheredMetric[]): string {
  return finish(formatTextInSteps(metrics));
}

/** The same, one series at a time: a server that is in use has tens of thousands of them. */
export function* formatTextInSteps(metrics: readonly GatheredMetric[]): Steps<string> {
  const lines: string[] = [];
  for (const { facts, series } of metrics) {
    const order = labelOrder(facts);
    // As Go writes them, because queries match the text of a bucket's bound.
    const bounds = [...(facts.buckets ?? []), Number.POSITIVE_INFINITY].map(formatFloat);
    let described = false;
    for (const [values, one] of series) {
      if (!described) lines.push(`# HELP ${facts.name} ${helpOf(facts)}`, `# TYPE ${facts.name} ${facts.type}`);
      described = true;
      writeSeries(lines, facts.name, labelText(order, values), one, bounds);
      yield;
    }
  }
  return `${lines.join('\n')}\n`;
}

/** The help text, after stability and deprecation as upstream writes them. */
function helpOf({ stability, deprecatedSince, help }: MetricFacts): string {
  const promise = stability === undefined ? '' : `[${stability}] `;
  const deprecated = deprecatedSince === undefined ? '' : `(Deprecated since ${deprecatedSince}) `;
  return `${promise}${deprecated}${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`;
}

function writeSeries(lines: string[], name: string, labels: string, series: Series, bounds: readonly string[]): void {
  if (!(series instanceof HistogramSeries)) {
    lines.push(`${name}${braced(labels)} ${formatFloat(series.value)}`);
    return;
  }
  const bucket = `${name}_bucket{${labels}${labels === '' ? '' : ','}le="`;
  let count = 0;
  for (const [index, observations] of series.counts.entries()) {
    count += observations;
    lines.push(`${bucket}${bounds[index] ?? ''}"} ${formatFloat(count)}`);
  }
  lines.push(`${name}_sum${braced(labels)} ${formatFloat(series.sum)}`);
  lines.push(`${name}_count${braced(labels)} ${formatFloat(count)}`);
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
