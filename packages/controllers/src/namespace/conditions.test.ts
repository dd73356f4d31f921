import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conditionsOf } from './conditions.js';
import type { Leftovers, Remains } from './remains.js';

const NOW = '2026-03-01T12:00:00Z';
const EARLIER = '2026-03-01T11:00:00Z';

const nothing: Leftovers = { remains: [], contentFailures: [], discoveryFailure: undefined };

const left = (group: string, resource: string, count: number, finalizers: Record<string, number> = {}): Remains => ({
  resource: { group, version: 'v1', resource },
  count,
  finalizers: new Map(Object.entries(finalizers)),
  estimate: 15,
  resourceVersion: '1',
});

const texts = (leftovers: Leftovers) =>
  (conditionsOf(leftovers, [], NOW) ?? []).map(({ status, reason, message }) => `${status} ${reason}: ${message}`);

const FINE = [
  'False ResourcesDiscovered: All resources successfully discovered',
  'False ParsedGroupVersions: All legacy kube types successfully parsed',
  'False ContentDeleted: All content successfully deleted, may be waiting on finalization',
  'False ContentRemoved: All content successfully removed',
  'False ContentHasNoFinalizers: All content-preserving finalizers finished',
];

describe('conditions of a namespace', () => {
  it('say that all is well', () => {
    assert.deepEqual(texts(nothing), FINE);
    assert.deepEqual(
      conditionsOf(nothing, [], NOW)?.map(({ type }) => type),
      [
        'NamespaceDeletionDiscoveryFailure',
        'NamespaceDeletionGroupVersionParsingFailure',
        'NamespaceDeletionContentFailure',
        'NamespaceContentRemaining',
        'NamespaceFinalizersRemaining',
      ],
    );
  });

  it('say what is left, and what holds it, in an order of its own', () => {
    const remains = [
      left('example.com', 'boats', 2, { 'example.com/tide': 2, 'example.com/anchor': 1 }),
      left('', 'pods', 1, { 'example.com/tide': 1 }),
      left('', 'configmaps', 7),
    ];
    assert.deepEqual(texts({ ...nothing, remains }).slice(3), [
      'True SomeResourcesRemain: Some resources are remaining: boats.example.com has 2 resource instances, configmaps. has 7 resource instances, pods. has 1 resource instances',
      'True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/anchor in 1 resource instances, example.com/tide in 3 resource instances',
    ]);
  });

  it('say nothing of finalizers where there are none', () => {
    assert.deepEqual(texts({ ...nothing, remains: [left('', 'pods', 1)] }).slice(4), FINE.slice(4));
  });

  it('say what went wrong', () => {
    const given = {
      ...nothing,
      discoveryFailure: new Error('no groups'),
      contentFailures: [new Error('storm'), new Error('calm')],
    };
    assert.deepEqual(texts(given), [
      'True DiscoveryFailed: no groups',
      FINE[1],
      'True ContentDeletionFailed: Failed to delete all resource types, 2 remaining: calm, storm',
      ...FINE.slice(3),
    ]);
  });

  it('change their time with their status alone', () => {
    const first = conditionsOf({ ...nothing, remains: [left('', 'pods', 2)] }, [], EARLIER) ?? [];
    const fewer = conditionsOf({ ...nothing, remains: [left('', 'pods', 1)] }, first, NOW) ?? [];
    assert.match(fewer[3]?.message ?? '', /pods\. has 1/);
    assert.deepEqual(
      fewer.map(({ lastTransitionTime }) => lastTransitionTime),
      Array(5).fill(EARLIER),
    );
    const none = conditionsOf(nothing, fewer, NOW) ?? [];
    assert.deepEqual(
      none.map(({ lastTransitionTime }) => lastTransitionTime),
      [EARLIER, EARLIER, EARLIER, NOW, EARLIER],
    );
  });

  it('are not written anew when nothing changes', () => {
    const before = conditionsOf(nothing, [], EARLIER) ?? [];
    assert.equal(conditionsOf(nothing, before, NOW), undefined);
  });

  it('leave alone what others say', () => {
    const other = { type: 'example.com/Billed', status: 'True', lastTransitionTime: EARLIER };
    const first = conditionsOf(nothing, [other], EARLIER) ?? [];
    assert.equal(first.length, 6);
    assert.equal(first[0], other);
    assert.equal(conditionsOf(nothing, first, NOW), undefined);
  });
});
