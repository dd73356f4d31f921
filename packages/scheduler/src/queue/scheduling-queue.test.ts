import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { finish } from '@binnacle/apimachinery/work';
import { type ClusterEvent, type Plugin, success, unresolvable } from '../framework/index.js';
import { prioritySort, schedulingGates } from '../plugins/index.js';
import { nodeObject, podFacts } from '../testing/index.js';
import { type QueueOptions, SchedulingQueue } from './index.js';

const sized: Plugin = {
  name: 'Sized',
  interests: [
    {
      resource: 'Node',
      actions: ['Add'],
      isWorthTrying: (_, { after }) => after?.metadata?.labels?.['size'] === 'large',
    },
  ],
};
const closed: Plugin = {
  ...sized,
  name: 'Closed',
  preEnqueue: ({ labels }) => (labels['size'] === undefined || isOpen ? success : unresolvable('closed')),
};
let isOpen = false;
const curious: Plugin = { name: 'Curious' };
const added = (size: string): ClusterEvent => ({
  resource: 'Node',
  action: 'Add',
  after: nodeObject('n', { labels: { size } }),
});

function start(backoffs: Pick<QueueOptions, 'initialBackoff' | 'longestBackoff'> = {}) {
  const clock = new VirtualClock();
  const plugins = [schedulingGates, sized, closed, curious];
  const profile = { gates: plugins, plugin: (name: string) => plugins.find((plugin) => plugin.name === name) };
  const queue = new SchedulingQueue({
    clock,
    compare: (a, b) => prioritySort.compare?.(a, b) ?? 0,
    profileOf: () => profile,
    ...backoffs,
  });
  const notice = (event: ClusterEvent, cause?: string): void => {
    queue.notice(event, cause);
    assert.ok(!queue.isSettled);
    finish(queue.settle());
    assert.ok(queue.isSettled);
  };
  return { clock, queue, popped: () => queue.pop()?.name, notice };
}

const pod = podFacts('p');
const { uid } = pod;

describe('the scheduling queue', () => {
  it('gives the highest priority first, and each pod once', () => {
    const { queue, popped } = start();
    for (const [name, priority] of [
      ['low', 1],
      ['high', 9],
      ['middle', 5],
    ] as const) {
      queue.set(podFacts(name, { spec: { priority } }));
    }
    queue.delete('default/middle');
    assert.deepEqual([popped(), popped(), popped()], ['high', 'low', undefined]);
  });

  it('keeps gated pods until their gates are gone', () => {
    const { queue, popped, notice } = start();
    queue.set(podFacts('p', { spec: { schedulingGates: [{ name: 'a' }] } }));
    notice(added('large'));
    assert.deepEqual([queue.placeOf(uid), popped()], ['gated', undefined]);
    queue.set(pod);
    assert.equal(popped(), 'p');
  });

  it('lets a gated pod in after a change that its gate waits for', () => {
    const { queue, notice } = start();
    queue.set(podFacts('p', { labels: { size: 'any' } }));
    isOpen = true;
    notice(added('small'));
    assert.equal(queue.placeOf(uid), 'gated');
    notice(added('large'));
    assert.equal(queue.placeOf(uid), 'active');
  });

  for (const [what, rejectedBy, event, place] of [
    ['a change that a rejecting plugin waits for', ['Sized'], added('large'), 'backoff'],
    ['a change that does not help', ['Sized'], added('small'), 'unschedulable'],
    ['a change of another kind', ['Sized'], { ...added('large'), action: 'Delete' }, 'unschedulable'],
    ['any change for a plugin without a list', ['Sized', 'Curious'], added('small'), 'backoff'],
    ['any change without a rejecting plugin', [], added('small'), 'backoff'],
  ] as const) {
    it(`sees ${what}`, () => {
      const { queue, popped, notice } = start();
      queue.set(pod);
      popped();
      queue.putBack(uid, new Set(rejectedBy));
      notice(event);
      assert.equal(queue.placeOf(uid), place);
    });
  }

  it('pauses after each comparison of a change with a pod', () => {
    const { queue, popped } = start();
    for (let index = 0; index < 10; index++) {
      queue.set(podFacts(`p${index}`));
      popped();
      queue.putBack(`default/p${index}`, new Set(['Sized']));
    }
    for (let index = 0; index < 5; index++) queue.notice(added('small'));
    let steps = 0;
    for (const settling = queue.settle(); settling.next().done !== true; ) steps++;
    assert.equal(steps, 10 * (5 + 1));
  });

  it('doubles the backoff up to ten seconds, and lets pods go at a full second', async () => {
    const { clock, queue, popped } = start();
    await clock.advance(500);
    queue.set(pod);
    // The backoffs of 1, 2, 4, 8 and 10 seconds, each up to the second after the one in which it ends.
    for (const wait of [1500, 3000, 5000, 9000, 11_000, 11_000]) {
      assert.equal(popped(), 'p');
      queue.retry(uid);
      assert.equal(queue.nextActivation(), wait);
      await clock.advance(wait - 1);
      assert.equal(popped(), undefined);
      await clock.advance(1);
    }
  });

  it('has the backoffs of its options', async () => {
    const { clock, queue, popped } = start({ initialBackoff: 3000, longestBackoff: 5000 });
    queue.set(pod);
    for (const wait of [4000, 6000, 6000]) {
      assert.equal(popped(), 'p');
      queue.retry(uid);
      assert.equal(queue.nextActivation(), wait);
      await clock.advance(wait);
    }
  });

  it('begins the backoff again after a failure of another sort', async () => {
    const { clock, queue, popped, notice } = start();
    queue.set(pod);
    for (let attempt = 0; attempt < 4; attempt++) {
      assert.equal(popped(), 'p');
      queue.putBack(uid, new Set(['Sized']));
      notice(added('large'));
    }
    assert.equal(popped(), 'p');
    queue.retry(uid);
    assert.equal(queue.nextActivation(), 2000);
    await clock.advance(2000);
    assert.equal(popped(), 'p');
  });

  it('takes pods out of the backoff while nothing is active, by window and then by importance', async () => {
    const { clock, queue, popped, notice } = start();
    const reject = (name: string, priority: number) => {
      queue.set(podFacts(name, { spec: { priority } }));
      assert.equal(popped(), name);
      queue.putBack(`default/${name}`, new Set(['Sized']));
    };
    reject('low', 1);
    await clock.advance(100);
    reject('high', 9);
    await clock.advance(900);
    reject('late', 10);
    notice(added('large'));
    queue.set(podFacts('new'));
    assert.deepEqual([queue.nextActivation(), queue.hasActive], [0, true]);
    assert.deepEqual([popped(), popped(), popped(), popped(), popped()], ['new', 'high', 'low', 'late', undefined]);
  });

  it('leaves pods in the backoff whose attempt failed', () => {
    const { queue, popped, notice } = start();
    queue.set(pod);
    popped();
    queue.retry(uid);
    notice(added('large'));
    assert.deepEqual([popped(), queue.placeOf(uid)], [undefined, 'backoff']);
  });

  it('sees a change that came while the pod was being bound', () => {
    const { queue, popped, notice } = start();
    queue.set(pod);
    popped();
    notice(added('large'));
    queue.putBack(uid, new Set(['Sized']));
    assert.equal(queue.placeOf(uid), 'backoff');
  });

  it('does not try a pod again because of its own change', () => {
    const { queue, popped, notice } = start();
    queue.set(pod);
    popped();
    queue.putBack(uid, new Set(['Curious']));
    notice(added('large'), uid);
    assert.equal(queue.placeOf(uid), 'unschedulable');
  });

  it('does not back off for the time that a pod was unschedulable', async () => {
    const { clock, queue, popped, notice } = start();
    queue.set(pod);
    popped();
    queue.putBack(uid, new Set(['Sized']));
    await clock.advance(2000);
    notice(added('large'));
    assert.equal(queue.placeOf(uid), 'active');
  });

  it('tries an unschedulable pod again after five minutes', async () => {
    const { clock, queue, popped } = start();
    queue.set(pod);
    popped();
    queue.putBack(uid, new Set(['Sized']));
    assert.equal(queue.nextActivation(), 300_000);
    await clock.advance(299_999);
    assert.equal(popped(), undefined);
    await clock.advance(1);
    assert.deepEqual([popped(), queue.nextActivation()], ['p', undefined]);
  });

  it('takes a new version of a waiting pod, and tries it only if that may help', () => {
    const { queue } = start();
    queue.set(pod);
    queue.pop();
    queue.putBack(uid, new Set(['Sized']));
    queue.set(podFacts('p', { labels: { a: 'b' } }), false);
    assert.equal(queue.placeOf(uid), 'unschedulable');
    queue.set(podFacts('p', { labels: { a: 'c' } }), true);
    assert.equal(queue.placeOf(uid), 'backoff');
  });

  it('forgets a deleted pod wherever it is', () => {
    const { queue, popped } = start();
    queue.set(pod);
    popped();
    queue.delete(uid);
    queue.putBack(uid, new Set());
    queue.retry(uid);
    assert.deepEqual([queue.placeOf(uid), popped(), queue.nextActivation()], [undefined, undefined, undefined]);
  });
});
