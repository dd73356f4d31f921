import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { Postponed } from './postponed.js';

const clock = new VirtualClock();

it('changes wait for the end of a cycle, and happen in order', async () => {
  const postponed = new Postponed(clock);
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
  const postponed = new Postponed(clock);
  const log: string[] = [];
  const failing = postponed.hold(async () => {
    postponed.run(() => log.push('change'));
    throw new Error('the cycle fails');
  });
  await assert.rejects(failing);
  assert.deepEqual(log, ['change']);
});

it('many changes happen in turns, before those that come meanwhile', async () => {
  const postponed = new Postponed(clock);
  const log: string[] = [];
  const change = (name: string) =>
    postponed.run(() => {
      log.push(name);
      clock.skip(3);
    });
  setImmediate(() => {
    log.push('other work');
    change('meanwhile');
  });
  await postponed.hold(async () => {
    for (const name of ['first', 'second', 'third']) change(name);
  });
  assert.deepEqual(log, ['first', 'second', 'other work', 'third', 'meanwhile']);
});

it('no change is lost that comes while a cycle ends', async () => {
  const postponed = new Postponed(clock);
  const log: number[] = [];
  const held = postponed.hold(async () => postponed.run(() => log.push(0)));
  const later = async (reactions: number): Promise<void> => {
    for (let each = 0; each < reactions; each++) await Promise.resolve();
    postponed.run(() => log.push(reactions));
  };
  await Promise.all([held, ...[1, 2, 3, 4, 5, 6, 7, 8].map(later)]);
  assert.deepEqual(log, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
});
