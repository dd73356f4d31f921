import type { MetricFacts } from '@binnacle/apimachinery/metrics';
import { memoryFacts } from './memory-metrics.js';
import { healthFacts, processFacts } from './process-facts.js';
import { requestFacts } from './request-facts.js';
import { storageFacts } from './storage-facts.js';

const sections: readonly (readonly [title: string, facts: Readonly<Record<string, MetricFacts>>])[] = [
  ['Requests', requestFacts],
  ['Memory', memoryFacts],
  ['Store and caches', storageFacts],
  ['Process', processFacts],
  ['Health checks, at `/metrics/slis`', healthFacts],
];

/** docs/metrics.md. */
export function renderMetricsPage(): string {
  return [
    '<!-- Made by `npm run generate` from packages/apiserver/src/metrics. -->',
    '# Metrics',
    '',
    "`/metrics` answers in Prometheus' text format whoever may `get` that path; the group `system:monitoring` may. Names,",
    'labels and buckets are those of kube-apiserver 1.36 where it has the metric, and so is the stability. A metric without',
    'a series yet is left out, and so are the caches that nobody has asked for. No request can make up a label: what',
    'nobody answers is not counted among requests, only among authentications and authorizations.',
    '',
    ...sections.flatMap(([title, facts]) => [
      `## ${title}`,
      '',
      '| metric | type | labels | stability | meaning |',
      '| --- | --- | --- | --- | --- |',
      ...Object.values(facts).map(row),
      '',
    ]),
  ].join('\n');
}

function row({ name, type, labels, stability, help, deprecatedSince }: MetricFacts): string {
  const names = labels.map((label) => `\`${label}\``).join(', ');
  const promise = stability === undefined ? '' : stability.toLowerCase();
  const since = deprecatedSince === undefined ? '' : `, deprecated since ${deprecatedSince}`;
  return `| \`${name}\` | ${type} | ${names} | ${promise}${since} | ${help} |`;
}
