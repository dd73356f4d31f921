import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import type { Pod, Service } from '@binnacle/client/kinds/core/v1';
import { TRIGGER_TIME, TriggerTimes, withTriggerTime } from './trigger-time.js';

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`;

const service = (minute: number): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'ns', creationTimestamp: at(minute) },
});

const pod = (name: string, minute: number | undefined): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'ns' },
  status: {
    conditions: minute === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: at(minute) }],
  },
});

describe('the trigger time', () => {
  for (const [what, before, after, expected] of [
    ['is none if nothing is new', [pod('a', 2)], [pod('a', 2)], undefined],
    ['is that of a pod that became ready', [pod('a', undefined)], [pod('a', 3)], at(3)],
    ['is that of a new pod', [pod('a', 2)], [pod('a', 2), pod('b', 4)], at(4)],
    ['is the earliest of several', [pod('a', 2), pod('b', 2)], [pod('a', 6), pod('b', 5), pod('c', 7)], at(5)],
    ['is none if a pod goes', [pod('a', 2)], [], undefined],
    ['is none if a pod has an earlier time', [pod('a', 3)], [pod('a', 2)], undefined],
  ] as const) {
    it(what, () => {
      const times = new TriggerTimes();
      assert.equal(
        finish(times.next(service(1), before)),
        at(1),
        'the first reconcile takes the creation of the service',
      );
      assert.equal(finish(times.next(service(1), after)), expected);
    });
  }

  it('is the creation of a re-created service', () => {
    const times = new TriggerTimes();
    finish(times.next(service(1), []));
    assert.equal(finish(times.next(service(5), [])), at(5));
    times.forget({ namespace: 'ns', name: 'web' });
    assert.equal(finish(times.next(service(5), [pod('a', 9)])), at(5));
  });

  it('is that of a re-created pod, also while the old one is remembered', () => {
    const times = new TriggerTimes();
    const others = Array.from({ length: 9 }, (_, index) => pod(`other-${index}`, 2));
    for (const pods of [[...others, pod('a', 2)], others, others.slice(0, 2), others.slice(0, 2)]) {
      finish(times.next(service(1), pods));
    }
    assert.equal(finish(times.next(service(1), [...others.slice(0, 2), pod('a', 3)])), at(3));
  });

  it('lets others work after some hundred pods, of one service or of many', () => {
    const times = new TriggerTimes();
    const pods = Array.from({ length: 100 }, (_, index) => pod(`p-${index}`, 2));
    let pauses = 0;
    for (let round = 0; round < 20; round++) {
      const steps = times.next(service(1), pods);
      while (steps.next().done !== true) pauses++;
    }
    assert.equal(pauses, 4);
  });

  it('is an annotation that goes when there is none', () => {
    const annotations = withTriggerTime({ a: 'b' }, at(1));
    assert.deepEqual(annotations, { a: 'b', [TRIGGER_TIME]: at(1) });
    assert.deepEqual(withTriggerTime(annotations, undefined), { a: 'b' });
    assert.deepEqual(withTriggerTime(undefined, undefined), {});
  });
});
