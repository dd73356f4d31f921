import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { connect } from '@binnacle/client';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { eventually, waitFor } from '@binnacle/client/testing';
import { readSchedulerConfiguration } from '@binnacle/scheduler/config';
import { runScheduler } from '@binnacle/scheduler/loop';
import { testServer } from 'binnacle/testing';
import { price } from './price.js';

const PRICE = 'example.com/price';
const MAX_PRICE = 'example.com/max-price';
const text = readFileSync(new URL('../scheduler.yaml', import.meta.url), 'utf8');
/** Generous, for machines that are busy. */
const patience = { timeout: 600_000 };

/** A server with three nodes that cost 1, 5 and 9, and with this scheduler beside its own one. */
async function setUp() {
  const server = await testServer({ controllers: '*', scheduler: true, nodes: 3 });
  const nodes = server.client.resource(Node);
  for (const [index, cost] of ['1', '5', '9'].entries()) {
    const body = { metadata: { labels: { [PRICE]: cost } } };
    await eventually(() => nodes.patch(`node-${index}`, { type: 'merge', body }), patience);
  }
  const { configuration } = readSchedulerConfiguration(text, { plugins: { Price: price } });
  const stop = new AbortController();
  const running = runScheduler(
    { configuration, connect: () => connect(server.clientConfig), report: (error) => console.error(error) },
    stop.signal,
  );
  return {
    nodes,
    pods: server.client.resource(Pod).namespace('default'),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await server.stop();
    },
  };
}

function podNamed(name: string, maxPrice: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations: { [MAX_PRICE]: maxPrice } },
    spec: { schedulerName: 'thrifty', containers: [{ name: 'main', image: 'example.com/app:1' }] },
  };
}

describe('the plugin Price', { timeout: 600_000 }, () => {
  it('keeps pods from expensive nodes, and prefers the cheapest', async () => {
    await using cluster = await setUp();
    const { nodes, pods } = cluster;
    await eventually(() => pods.create(podNamed('rich', '100')), patience);
    const rich = await waitFor(pods, 'rich', ({ spec }) => spec?.nodeName !== undefined, patience);
    assert.equal(rich.spec?.nodeName, 'node-0');

    await pods.create(podNamed('poor', '0'));
    const reasonOf = ({ status }: Pod) =>
      status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message ?? '';
    const poor = await waitFor(pods, 'poor', (pod) => reasonOf(pod) !== '', patience);
    assert.match(reasonOf(poor), /^0\/3 nodes are available: 3 node\(s\) cost more than 0\./);

    await nodes.patch('node-1', { type: 'merge', body: { metadata: { labels: { [PRICE]: '0' } } } });
    const placed = await waitFor(pods, 'poor', ({ spec }) => spec?.nodeName !== undefined, patience);
    assert.equal(placed.spec?.nodeName, 'node-1');
  });

  it('needs its argument', () => {
    const without = text.replace('label: example.com/price', '{}');
    assert.throws(
      () => readSchedulerConfiguration(without, { plugins: { Price: price } }),
      /creating profile for scheduler name thrifty: Price needs the argument label, a text/,
    );
  });
});
