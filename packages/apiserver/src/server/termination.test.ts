import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, sleep, VirtualClock } from '@binnacle/apimachinery/clock';
import { Log } from '@binnacle/apimachinery/logging';
import { Termination } from './termination.js';

const GRACEFUL = '[graceful-termination] ';

/** A termination, what it logs at its verbosity, and parts of which `left` requests outlast the drain. */
function world(given: { delayMs?: number; graceMs?: number; sendsRetryAfter?: boolean; left?: number } = {}) {
  const { delayMs = 0, graceMs = 0, sendsRetryAfter = false, left = 0 } = given;
  const clock = new VirtualClock();
  const notes: string[] = [];
  const log = new Log({
    clock,
    verbosity: 1,
    format: ({ message, values }) => [message.replace(GRACEFUL, ''), ...values.map(([, value]) => value)].join(' '),
    write: (line) => notes.push(line.trim().replace('shutdown event ', '')),
  });
  const termination = new Termination({
    clock,
    log,
    shutdownDelayMs: delayMs,
    shutdownWatchGraceMs: graceMs,
    shutdownSendsRetryAfter: sendsRetryAfter,
  });
  const parts = {
    inFlight: {
      count: left,
      abortLongRunning: async (_: Error, spreadMs: number) => void notes.push(`watches end over ${spreadMs}`),
      settled: async (limitMs: number) => void notes.push(`settled within ${limitMs}`),
    },
    close: async (drainMs: number) => void notes.push(`closes within ${drainMs}`),
  };
  return { clock, termination, parts, notes };
}

describe('the termination of a server', () => {
  it('passes the stages of upstream in order, and closes the port before its requests have ended', async () => {
    const { clock, termination, parts, notes } = world({ delayMs: 5000 });
    assert.equal(termination.initiated.aborted, false);
    const announced = termination.announce(() => sleep(clock, 1000));
    assert.equal(termination.initiated.aborted, true);
    await clock.advance(5000);
    await announced;
    await termination.announce(() => assert.fail('only once'));
    await termination.drain(parts);
    assert.equal(termination.refuses, false);
    assert.deepEqual(notes, [
      'ShutdownInitiated',
      'PreShutdownHooksStopped',
      'AfterShutdownDelayDuration',
      'NotAcceptingNewRequest',
      'watches end over 0',
      'closes within 8000',
      'HTTPServerStoppedListening',
      'settled within 8000',
      'InFlightRequestsDrained',
    ]);
  });

  it('refuses new requests until those in progress have ended, and closes the port afterwards', async () => {
    const { termination, parts, notes } = world({ graceMs: 3000, sendsRetryAfter: true });
    await termination.announce(() => undefined);
    assert.equal(termination.refuses, false);
    await termination.drain(parts);
    assert.equal(termination.refuses, true);
    assert.deepEqual(notes.slice(3), [
      'NotAcceptingNewRequest',
      'watches end over 3000',
      'settled within 11000',
      'InFlightRequestsDrained',
      'closes within 11000',
      'HTTPServerStoppedListening',
      'settled within 11000',
    ]);
  });

  it('says how many requests are cut off', async () => {
    const { termination, parts, notes } = world({ left: 2 });
    await termination.announce(() => undefined);
    await termination.drain(parts);
    assert.equal(notes.at(-1), 'requests are cut off 2');
  });

  it('waits for no request when a start has failed', async () => {
    const { termination, parts, notes } = world({ graceMs: 3000 });
    await termination.drain(parts);
    assert.ok(notes.includes('watches end over 0') && notes.includes('closes within 0'));
  });

  it('leaves the last audit events the time that the requests have not taken', async () => {
    const { clock, termination, parts } = world();
    await termination.announce(() => undefined);
    await termination.drain(parts);
    assert.equal(termination.closingMs(), 9500);
    await clock.advance(3000);
    assert.equal(termination.closingMs(), 6500);
    await clock.advance(6000);
    await settle();
    assert.equal(termination.closingMs(), 1500);
  });
});
