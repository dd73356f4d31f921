import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Postponed } from './postponed.js';

it('changes wait for the end of a cycle, and happen in order', async () => {
  const postponed = new Postponed();
  const log: string[] = [];
  const change = (name: string) => postponed.run(() => log.push(name));
  change('before');
  await postponed.hold(async () => {
    change('first');
    await Promise.resolve();
    change('second');
    log.push('end of the cycle');
  });
  change('after');
  assert.deepEqual(log, ['before', 'end of the cycle', 'first', 'second', 'after']);
});

it('changes happen after a cycle that fails', async () => {
  const postponed = new Postponed();
  const log: string[] = [];
  const failing = postponed.hold(async () => {
    postponed.run(() => log.push('change'));
    throw new Error('the cycle fails');
  });
  await assert.rejects(failing);
  assert.deepEqual(log, ['change']);
});
