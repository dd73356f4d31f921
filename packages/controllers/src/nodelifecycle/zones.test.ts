import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EvictionQueue } from './eviction-queue.js';
import { node } from './node.testing.js';
import { settingsOf } from './settings.js';
import { countsInZone, planZones, type ZoneState, zoneOf } from './zones.js';

const settings = settingsOf({});

/** This many nodes that are ready, and this many that are not. */
const nodes = (ready: number, others: number) => [
  ...Array.from({ length: ready }, () => 'True'),
  ...Array.from({ length: others }, () => 'Unknown'),
];

it('zones are large beyond the threshold', () => {
  const { largeClusterThreshold } = settingsOf({ largeClusterSizeThreshold: 10 });
  assert.deepEqual([largeClusterThreshold, settings.largeClusterThreshold], [10, 50]);
});

describe('the state of zones', () => {
  for (const [what, known, readiness, states, rates, turn] of [
    ['normal', {}, { a: nodes(3, 2) }, { a: 'normal' }, { a: 0.1 }, undefined],
    ['stays', { a: 'normal' }, { a: nodes(3, 2) }, { a: 'normal' }, {}, undefined],
    ['many of a small zone', { a: 'normal' }, { a: nodes(2, 3) }, { a: 'partial' }, { a: 0 }, undefined],
    ['many of a large zone', { a: 'normal' }, { a: nodes(20, 40) }, { a: 'partial' }, { a: 0.01 }, undefined],
    [
      'one zone as a whole',
      { a: 'normal', b: 'normal' },
      { a: nodes(0, 3), b: nodes(1, 0) },
      { a: 'full', b: 'normal' },
      { a: 0.1 },
      undefined,
    ],
    [
      'all zones',
      { a: 'full', b: 'normal' },
      { a: nodes(0, 3), b: nodes(0, 1) },
      { a: 'full', b: 'full' },
      { a: 0, b: 0 },
      'stop',
    ],
    ['all zones at the start', {}, { a: nodes(0, 1) }, { a: 'full' }, { a: 0 }, 'stop'],
    ['all zones still', { a: 'full' }, { a: nodes(0, 3) }, { a: 'full' }, {}, undefined],
    [
      'back from all zones',
      { a: 'full', b: 'full' },
      { a: nodes(1, 0), b: nodes(0, 1) },
      { a: 'normal', b: 'full' },
      { a: 0.1, b: 0.1 },
      'resume',
    ],
    ['no nodes', {}, {}, {}, {}, undefined],
  ] as const) {
    it(what, () => {
      const plan = planZones(new Map(Object.entries<ZoneState>(known)), new Map(Object.entries(readiness)), settings);
      assert.deepEqual(
        [Object.fromEntries(plan.states), Object.fromEntries(plan.rates), plan.turn],
        [states, rates, turn],
      );
    });
  }

  it('belongs to a region and a zone', () => {
    const zone = (labels: Readonly<Record<string, string>>) => zoneOf(node({ metadata: { labels } }));
    assert.equal(zone({}), '');
    assert.equal(zone({ 'topology.kubernetes.io/region': 'r', 'topology.kubernetes.io/zone': 'z' }), 'r:\0:z');
    assert.equal(
      zone({ 'failure-domain.beta.kubernetes.io/zone': 'old', 'topology.kubernetes.io/zone': 'z' }),
      ':\0:old',
    );
  });

  it('ignores nodes with a label', () => {
    assert.ok(countsInZone(node()));
    assert.ok(!countsInZone(node({ metadata: { labels: { 'node.kubernetes.io/exclude-disruption': '' } } })));
  });
});

describe('the queue of evictions', () => {
  it('lets one node go at a time', () => {
    const queue = new EvictionQueue(0.1);
    queue.add('a');
    queue.add('b');
    assert.deepEqual([queue.take(0), queue.take(0), queue.wait(0)], ['a', undefined, 10_000]);
    queue.remove('a');
    assert.deepEqual([queue.take(9999), queue.take(10_000)], [undefined, 'b']);
  });

  it('keeps a node until it is removed, after the others', () => {
    const queue = new EvictionQueue(1);
    queue.add('a');
    queue.add('b');
    assert.deepEqual([queue.take(0), queue.take(1000), queue.take(2000)], ['a', 'b', 'a']);
  });

  it('stops, and goes on by another rate', () => {
    const queue = new EvictionQueue(1);
    queue.add('a');
    queue.setRate(0, 0);
    assert.deepEqual([queue.take(5000), queue.wait(5000)], [undefined, undefined]);
    queue.setRate(0.1, 5000);
    assert.deepEqual([queue.take(14_999), queue.take(15_000)], [undefined, 'a']);
  });
});
