import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTime } from '@binnacle/apimachinery/time';
import type { Container } from '@binnacle/client/kinds/core/v1';
import { admitted, live, podOn, START, stepAt } from './pod-life.testing.js';

type Hook = NonNullable<Container['lifecycle']>['preStop'];

/** When a pod with these hooks ends that is deleted ten seconds after its start, in seconds from the deletion. */
function endOf(hooks: readonly Hook[], grace = 30): number | undefined {
  const containers = hooks.map((preStop, index) => ({
    name: `c${index}`,
    image: 'img',
    ...(preStop === undefined ? {} : { lifecycle: { preStop } }),
  }));
  const { pod } = live(admitted(podOn({ containers })), 5000);
  const metadata = {
    ...pod.metadata,
    deletionGracePeriodSeconds: grace,
    deletionTimestamp: formatTime(START + 10_000 + grace * 1000),
  };
  for (let after = 0; after <= 60; after += 1) {
    const step = stepAt({ ...pod, metadata }, 10_000 + after * 1000);
    if (step.status?.phase === 'Succeeded') return after;
    assert.deepEqual([step.status, step.canGo, step.events], [undefined, false, []]);
  }
  return undefined;
}

test('hooks that sleep delay the end of a pod, others do not', () => {
  assert.equal(endOf([undefined]), 0);
  assert.equal(endOf([{ sleep: { seconds: 5 } }]), 5);
  assert.equal(endOf([{ exec: { command: ['sh', '-c', 'sleep 7'] } }]), 7);
  assert.equal(endOf([{ exec: { command: ['/bin/sleep', '0.1m'] } }]), 6);
  assert.equal(endOf([{ exec: { command: ['nginx', '-s', 'quit'] } }]), 0);
  assert.equal(endOf([{ httpGet: { port: 80 } }]), 0);
});

test('a pod ends after its longest hook, or after its grace period', () => {
  assert.equal(endOf([{ sleep: { seconds: 5 } }, { sleep: { seconds: 9 } }, undefined]), 9);
  assert.equal(endOf([{ sleep: { seconds: 50 } }], 20), 20);
  assert.equal(endOf([{ exec: { command: ['sleep', 'infinity'] } }], 20), 20);
  assert.equal(endOf([{ sleep: { seconds: 5 } }], 0), 0);
});

test('a pod whose hooks sleep is looked at when they are over', () => {
  const { pod } = live(
    admitted(podOn({ containers: [{ name: 'c', image: 'i', lifecycle: { preStop: { sleep: { seconds: 5 } } } }] })),
    5000,
  );
  const deletionTimestamp = formatTime(START + 40_000);
  const metadata = { ...pod.metadata, deletionGracePeriodSeconds: 30, deletionTimestamp };
  assert.equal(stepAt({ ...pod, metadata }, 12_000).lookAgainAfter, 3000);
});
