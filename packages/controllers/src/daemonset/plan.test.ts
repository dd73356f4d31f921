import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { daemonSet, NOW, nodes, pods, rolling } from './daemonset.testing.js';
import { targetNode } from './daemon-pods.js';
import { planDaemonSet } from './plan.js';

type Spec = Parameters<typeof daemonSet>[0];

/** `+a` creates a pod for node `a`, `-a1` deletes pod `a1`. */
function inShort(spec: Spec, nodeTexts: string, podTexts: string, backoff = 0): string {
  const { create, remove } = planDaemonSet({
    set: daemonSet(spec),
    nodes: nodes(nodeTexts),
    pods: pods(podTexts),
    hash: 'new',
    backoffOf: () => backoff,
    now: NOW,
  });
  return [
    ...create.map((pod) => `+${targetNode(pod) ?? ''}`),
    ...remove.map(({ metadata }) => `-${metadata.name ?? ''}`),
  ].join(' ');
}

const surge = (maxSurge: number | string) => ({ updateStrategy: rolling(0, maxSurge) });
const unavailable = (maxUnavailable: number | string) => ({ updateStrategy: rolling(maxUnavailable, 0) });
const onDelete = { updateStrategy: { type: 'OnDelete' } } as const;

describe('the plan of a DaemonSet', () => {
  for (const [what, spec, nodeTexts, podTexts, expected] of [
    ['has nothing to do without nodes', {}, '', '', ''],
    ['creates a pod on each node', {}, 'a b', '', '+a +b'],
    ['creates no pod twice', {}, 'a b', 'a1n', '+b'],
    ['waits for a pod that is being deleted', {}, 'a', 'a1d', ''],
    ['creates none on a node with a taint', {}, 'a* b!', '', ''],
    ['keeps a pod on a node that has got a taint', {}, 'a*', 'a1', ''],
    ['deletes a pod that a taint evicts', {}, 'a!', 'a1', '-a1'],
    ['deletes that pod once', {}, 'a!', 'a1d', ''],
    ['replaces a failed pod', {}, 'a', 'a1f', '-a1'],
    ['ignores a failed pod that is being deleted', {}, 'a', 'a1fd', '+a'],
    ['replaces a succeeded pod', {}, 'a', 'a1s', '-a1'],
    ['keeps the oldest of three pods', {}, 'a', 'a2 a1 a3', '-a2 -a3'],
    ['prefers a bound pod to an older one', {}, 'a', 'a1n a2', '-a1'],
    ['deletes unbound pods of lost nodes', {}, 'b', 'a1n b1', '-a1'],
    ['leaves bound pods of lost nodes alone', {}, 'b', 'a1 b1', ''],
    ['replaces one old pod', {}, 'a b c', 'a1o b1o c1o', '-a1'],
    ['replaces two', unavailable(2), 'a b c', 'a1o b1o c1o', '-a1 -b1'],
    ['replaces half of them, rounded up', unavailable('50%'), 'a b c', 'a1o b1o c1o', '-a1 -b1'],
    ['replaces none while a new one is unready', {}, 'a b', 'a1u b1o', ''],
    ['replaces none before a new one is available', { minReadySeconds: 10 }, 'a b', 'a1y b1o', ''],
    ['replaces an unready old pod at once', {}, 'a b c', 'a1u b1o c1ou', '-c1'],
    ['tidies a node before it replaces pods', {}, 'a b', 'a1o b1o b2', '-b2'],
    ['counts a node without a pod as unavailable', {}, 'a b', 'a1o b1od', ''],
    ['leaves old pods to the user', onDelete, 'a b', 'a1o b1o', ''],
    ['takes one unavailable if both limits are 0', unavailable(0), 'a b', 'a1o b1o', '-a1'],
    ['surges on one node', surge(1), 'a b', 'a1o b1o', '+a'],
    ['surges on all', surge('100%'), 'a b', 'a1o b1o', '+a +b'],
    ['surges no further before the new pod is available', surge(1), 'a b', 'a1o a2u b1o', ''],
    ['deletes the old pod once the new one is available', surge(1), 'a b', 'a1o a2 b1o', '-a1'],
    ['deletes an unready old pod beside a new one', surge(1), 'a', 'a1ou a2u', '-a1'],
    ['creates a pod beside an unready old one, whatever the surge', surge(1), 'a b', 'a1ou b1o', '+a +b'],
    ['does not wait for a pod that is being deleted', surge(1), 'a', 'a1od', '+a'],
    ['keeps an old pod where none should run until all others are available', surge(1), 'a* b', 'a1o b1u', ''],
    ['deletes it then', surge(1), 'a* b', 'a1o b1', '-a1'],
  ] as const) {
    it(what, () => assert.equal(inShort(spec, nodeTexts, podTexts), expected));
  }

  it('lets a failed pod stay for its backoff', () => {
    const seen = { set: daemonSet(), nodes: nodes('a'), pods: pods('a1f'), hash: 'new', now: NOW };
    const now = planDaemonSet({ ...seen, backoffOf: () => 0 });
    const later = planDaemonSet({ ...seen, backoffOf: () => 700 });
    assert.deepEqual([now.failedNodes, now.requeueAfter], [['a'], undefined]);
    assert.deepEqual(now.events, [
      {
        type: 'Warning',
        reason: 'FailedDaemonPod',
        message: 'Found failed daemon pod shop/a1 on node a, will try to kill it',
      },
    ]);
    assert.deepEqual([later.failedNodes, later.events, later.remove, later.requeueAfter], [[], [], [], 700]);
  });

  it('changes at most 250 pods at a time', () => {
    const many = Array.from({ length: 300 }, (_, index) => {
      const [one = assert.fail()] = nodes('a');
      return { ...one, metadata: { name: `node-${index}` } };
    });
    const seen = { set: daemonSet(), nodes: many, pods: [], hash: 'new', backoffOf: () => 0, now: NOW };
    assert.equal(planDaemonSet(seen).create.length, 250);
  });

  for (const [what, spec, nodeTexts, podTexts, expected] of [
    ['no node', {}, '', '', [0, 0, 0, 0, 0, 0, 0]],
    ['a node without a pod', {}, 'a b', 'a1', [2, 1, 0, 1, 1, 1, 1]],
    ['a pod too many', {}, 'a* b', 'a1 b1', [1, 1, 1, 1, 1, 1, 0]],
    ['old and unready pods', {}, 'a b c', 'a1o b1u c1', [3, 3, 0, 2, 2, 2, 1]],
    ['young pods', { minReadySeconds: 10 }, 'a b', 'a1y b1', [2, 2, 0, 2, 2, 1, 1]],
    ['the oldest of two pods', surge(1), 'a', 'a1o a2u', [1, 1, 0, 1, 0, 1, 0]],
  ] as const) {
    it(`counts ${what}`, () => {
      const seen = { set: daemonSet(spec), nodes: nodes(nodeTexts), pods: pods(podTexts), hash: 'new', now: NOW };
      const { status } = planDaemonSet({ ...seen, backoffOf: () => 0 });
      const { updatedNumberScheduled = 0, numberAvailable = 0, numberUnavailable = 0 } = status;
      assert.deepEqual(
        [
          status.desiredNumberScheduled,
          status.currentNumberScheduled,
          status.numberMisscheduled,
          status.numberReady,
          updatedNumberScheduled,
          numberAvailable,
          numberUnavailable,
        ],
        expected,
      );
      assert.equal(status.observedGeneration, 2);
    });
  }

  it('looks again when a pod becomes available', () => {
    const seen = {
      set: daemonSet({ minReadySeconds: 10 }),
      nodes: nodes('a'),
      pods: pods('a1y'),
      hash: 'new',
      now: NOW,
    };
    assert.equal(planDaemonSet({ ...seen, backoffOf: () => 0 }).requeueAfter, 5000);
  });
});
