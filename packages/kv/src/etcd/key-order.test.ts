import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyOrder } from './key-order.js';

test('calls on one key run in sequence, others concurrently, also after failures', async () => {
  const order = new KeyOrder();
  const log: string[] = [];
  const gates: (() => void)[] = [];
  const step = (name: string) => async (): Promise<string> => {
    log.push(`begin ${name}`);
    await new Promise<void>((resolve) => gates.push(resolve));
    log.push(`end ${name}`);
    if (name === 'a1') throw new Error(name);
    return name;
  };
  const results = [order.run('a', step('a1')), order.run('a', step('a2')), order.run('b', step('b1'))];
  const settled = Promise.allSettled(results);
  assert.deepEqual(log, ['begin a1', 'begin b1']);
  while (gates.length > 0) {
    gates.shift()?.();
    await new Promise(setImmediate);
  }
  assert.deepEqual(log, ['begin a1', 'begin b1', 'end a1', 'begin a2', 'end b1', 'end a2']);
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  );
});
