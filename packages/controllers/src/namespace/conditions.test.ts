import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conditionsOf } from './conditions.js';
import type { PassResult, RemainingResource } from './pass-result.js';

const NOW = '2026-03-01T12:00:00Z';
const EARLIER = '2026-03-01T11:00:00Z';

const empty: PassResult = { remaining: [], contentFailures: [], discoveryFailure: undefined };

const left = (
  group: string,
  resource: string,
  count: number,
  finalizers: Record<string, number> = {},
): RemainingResource => ({
  resource: { group, version: 'v1', resource },
  count,
  finalizers: new Map(Object.entries(finalizers)),
  estimate: 15,
  resourceVersion: '1',
});

const texts = (result: PassResult) =>
  (conditionsOf(result, [], NOW) ?? []).map(({ status, reason, message }) => `${status} ${reason}: ${message}`);

const SUCCESS = [
  'False ResourcesDiscovered: All resources successfully discovered',
  'False ParsedGroupVersions: All legacy kube types successfully parsed',
  'False ContentDeleted: All content successfully deleted, may be waiting on finalization',
  'False ContentRemoved: All content successfully removed',
  'False ContentHasNoFinalizers: All content-preserving finalizers finished',
];

describe('conditions of a namespace', () => {
  it('are False if nothing remains', () => {
    assert.deepEqual(texts(empty), SUCCESS);
    assert.deepEqual(
      conditionsOf(empty, [], NOW)?.map(({ type }) => type),
      [
        'NamespaceDeletionDiscoveryFailure',
        'NamespaceDeletionGroupVersionParsingFailure',
        'NamespaceDeletionContentFailure',
        'NamespaceContentRemaining',
        'NamespaceFinalizersRemaining',
      ],
    );
  });

  it('do not report content while pods remain', () => {
    const remaining = [left('', 'pods', 1, { 'example.com/tide': 1 })];
    assert.deepEqual(texts({ ...empty, remaining }), SUCCESS);
  });

  it('list remaining resources and finalizers in a stable order', () => {
    const remaining = [
      left('example.com', 'boats', 2, { 'example.com/tide': 2, 'example.com/anchor': 1 }),
      left('', 'secrets', 1, { 'example.com/tide': 1 }),
      left('', 'configmaps', 7),
    ];
    assert.deepEqual(texts({ ...empty, remaining }).slice(3), [
      'True SomeResourcesRemain: Some resources are remaining: boats.example.com has 2 resource instances, configmaps. has 7 resource instances, secrets. has 1 resource instances',
      'True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/anchor in 1 resource instances, example.com/tide in 3 resource instances',
    ]);
  });

  it('do not mention finalizers if there are none', () => {
    assert.deepEqual(texts({ ...empty, remaining: [left('', 'secrets', 1)] }).slice(4), SUCCESS.slice(4));
  });

  it('list failures', () => {
    const given = {
      ...empty,
      discoveryFailure: new Error('no groups'),
      contentFailures: [new Error('storm'), new Error('calm')],
    };
    assert.deepEqual(texts(given), [
      'True DiscoveryFailed: no groups',
      SUCCESS[1],
      'True ContentDeletionFailed: Failed to delete all resource types, 2 remaining: calm, storm',
      ...SUCCESS.slice(3),
    ]);
  });

  it('change lastTransitionTime only with their status', () => {
    const first = conditionsOf({ ...empty, remaining: [left('', 'secrets', 2)] }, [], EARLIER) ?? [];
    const fewer = conditionsOf({ ...empty, remaining: [left('', 'secrets', 1)] }, first, NOW) ?? [];
    assert.match(fewer[3]?.message ?? '', /secrets\. has 1/);
    assert.deepEqual(
      fewer.map(({ lastTransitionTime }) => lastTransitionTime),
      Array(5).fill(EARLIER),
    );
    const none = conditionsOf(empty, fewer, NOW) ?? [];
    assert.deepEqual(
      none.map(({ lastTransitionTime }) => lastTransitionTime),
      [EARLIER, EARLIER, EARLIER, NOW, EARLIER],
    );
  });

  it('are undefined if nothing changes', () => {
    const before = conditionsOf(empty, [], EARLIER) ?? [];
    assert.equal(conditionsOf(empty, before, NOW), undefined);
  });

  it('keep conditions of other types', () => {
    const other = { type: 'example.com/Billed', status: 'True', lastTransitionTime: EARLIER };
    const first = conditionsOf(empty, [other], EARLIER) ?? [];
    assert.equal(first.length, 6);
    assert.equal(first[0], other);
    assert.equal(conditionsOf(empty, first, NOW), undefined);
  });
});
