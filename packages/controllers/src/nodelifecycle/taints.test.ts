import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { labelsToRepeat } from './node-labels.js';
import { node, NOON, noon, taint } from './node.testing.js';
import { isEvicted, noExecuteTaints, noScheduleTaints } from './taints.js';

const own = { key: 'example.com/own', effect: 'NoSchedule' } as const;

describe('the taints that keep pods away from a node', () => {
  for (const [what, given, expected] of [
    ['a ready node has none', node({ conditions: { Ready: 'True', DiskPressure: 'False' } }), undefined],
    [
      'a ready node loses them',
      node({ conditions: { Ready: 'True' }, taints: [taint('not-ready', 'NoSchedule')] }),
      [],
    ],
    ['one that is not ready', node({ conditions: { Ready: 'False' } }), [taint('not-ready', 'NoSchedule', NOON)]],
    ['one that is unreachable', node({ conditions: { Ready: 'Unknown' } }), [taint('unreachable', 'NoSchedule', NOON)]],
    [
      'one under pressure',
      node({ conditions: { MemoryPressure: 'True', PIDPressure: 'True', DiskPressure: 'Unknown' }, taints: [own] }),
      [own, taint('memory-pressure', 'NoSchedule', NOON), taint('pid-pressure', 'NoSchedule', NOON)],
    ],
    ['a cordoned one', node({ unschedulable: true }), [taint('unschedulable', 'NoSchedule', NOON)]],
    ['one that has them', node({ unschedulable: true, taints: [taint('unschedulable', 'NoSchedule')] }), undefined],
    ['other effects stay', node({ taints: [taint('not-ready', 'NoExecute'), own] }), undefined],
    [
      'it changes from not ready to unreachable',
      node({ conditions: { Ready: 'Unknown' }, taints: [taint('not-ready', 'NoSchedule', NOON), own] }),
      [own, taint('unreachable', 'NoSchedule', NOON)],
    ],
  ] as const) {
    it(what, () => assert.deepEqual(noScheduleTaints(given, noon), expected));
  }
});

describe('the taints that evict pods', () => {
  const [notReady, unreachable] = [taint('not-ready', 'NoExecute', NOON), taint('unreachable', 'NoExecute', NOON)];
  for (const [what, taints, ready, expected] of [
    ['a ready node has none', [own], 'True', undefined],
    ['a ready node loses them', [own, notReady], 'True', [own]],
    ['not ready', [own], 'False', [own, notReady]],
    ['unreachable', [], 'Unknown', [unreachable]],
    ['from not ready to unreachable', [notReady], 'Unknown', [unreachable]],
    ['from unreachable to not ready', [unreachable, own], 'False', [own, notReady]],
    ['has it', [unreachable], 'Unknown', undefined],
  ] as const) {
    it(what, () => assert.deepEqual(noExecuteTaints(node({ taints }), ready, noon), expected));
  }

  it('are two', () => {
    assert.deepEqual(
      [[own], [notReady], [unreachable]].map((taints) => isEvicted(node({ taints }))),
      [false, true, true],
    );
  });
});

describe('the deprecated labels of a node', () => {
  for (const [what, labels, expected] of [
    ['repeat the others', { 'kubernetes.io/os': 'linux' }, { 'beta.kubernetes.io/os': 'linux' }],
    [
      'are corrected',
      { 'kubernetes.io/arch': 'arm64', 'beta.kubernetes.io/arch': 'amd64' },
      { 'beta.kubernetes.io/arch': 'arm64' },
    ],
    ['stay if there are no others', { 'beta.kubernetes.io/os': 'linux' }, undefined],
    ['stay if they are equal', { 'kubernetes.io/os': 'linux', 'beta.kubernetes.io/os': 'linux' }, undefined],
  ] as const) {
    it(what, () => assert.deepEqual(labelsToRepeat(node({ metadata: { labels } })), expected));
  }
});
