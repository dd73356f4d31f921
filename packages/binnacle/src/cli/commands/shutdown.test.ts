import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Shutdown, stopSignals } from './shutdown.js';

it('signals within a second count once; a later one ends the process at once', () => {
  let now = 5000;
  const notes: unknown[] = [];
  const shutdown = new Shutdown({
    now: () => now,
    begin: () => notes.push('begin'),
    abort: (signal) => notes.push(signal),
  });
  shutdown.receive('SIGINT');
  now += 900;
  shutdown.receive('SIGINT');
  assert.deepEqual(notes, ['begin']);
  now += 200;
  shutdown.receive('SIGTERM');
  shutdown.receive('SIGINT');
  assert.deepEqual(notes, ['begin', 'SIGTERM', 'SIGINT']);
});

it('a hangup stops only a process with a terminal', () => {
  assert.deepEqual(
    stopSignals((descriptor) => descriptor === 0),
    ['SIGINT', 'SIGTERM', 'SIGHUP'],
  );
  assert.deepEqual(
    stopSignals(() => false),
    ['SIGINT', 'SIGTERM'],
  );
});
