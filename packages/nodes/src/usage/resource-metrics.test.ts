import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { START, usedPod } from './pod-usage.testing.js';
import { resourceMetrics } from './resource-metrics.js';

const NOW = START + 60_000;

/** The samples of an answer, without the comments. */
const samples = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

describe('the resource metrics of a kubelet', () => {
  it('have a sample for each container, each pod and the node', () => {
    const text = resourceMetrics([usedPod('web', { app: 0, proxy: 20 }), usedPod('idle', {})], NOW);
    const [app, proxy] = ['app', 'proxy'].map((container) => `{container="${container}",namespace="shop",pod="web"}`);
    assert.deepEqual(samples(text), [
      `container_cpu_usage_seconds_total${app} 15 ${NOW}`,
      `container_cpu_usage_seconds_total${proxy} 10 ${NOW}`,
      `container_memory_working_set_bytes${app} 67108864 ${NOW}`,
      `container_memory_working_set_bytes${proxy} 67108864 ${NOW}`,
      `container_start_time_seconds${app} ${START / 1000}`,
      `container_start_time_seconds${proxy} ${START / 1000 + 20}`,
      `node_cpu_usage_seconds_total 25 ${NOW}`,
      `node_memory_working_set_bytes 134217728 ${NOW}`,
      `pod_cpu_usage_seconds_total{namespace="shop",pod="web"} 25 ${NOW}`,
      `pod_cpu_usage_seconds_total{namespace="shop",pod="idle"} 0 ${NOW}`,
      `pod_memory_working_set_bytes{namespace="shop",pod="web"} 134217728 ${NOW}`,
      `pod_memory_working_set_bytes{namespace="shop",pod="idle"} 0 ${NOW}`,
      'resource_scrape_error 0',
    ]);
  });

  it('describe each family before its samples', () => {
    const lines = resourceMetrics([], NOW).split('\n');
    const types = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.slice('# TYPE '.length));
    assert.deepEqual(types, [
      'container_cpu_usage_seconds_total counter',
      'container_memory_working_set_bytes gauge',
      'container_start_time_seconds gauge',
      'node_cpu_usage_seconds_total counter',
      'node_memory_working_set_bytes gauge',
      'pod_cpu_usage_seconds_total counter',
      'pod_memory_working_set_bytes gauge',
      'resource_scrape_error gauge',
    ]);
    const help =
      '# HELP node_cpu_usage_seconds_total [STABLE] Cumulative cpu time consumed by the node in core-seconds';
    assert.equal(lines[lines.indexOf('# TYPE node_cpu_usage_seconds_total counter') - 1], help);
  });

  it('of a node without pods are zero', () => {
    assert.deepEqual(samples(resourceMetrics([], NOW)), [
      `node_cpu_usage_seconds_total 0 ${NOW}`,
      `node_memory_working_set_bytes 0 ${NOW}`,
      'resource_scrape_error 0',
    ]);
  });
});
