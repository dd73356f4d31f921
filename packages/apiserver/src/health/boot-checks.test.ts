import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { bootChecks } from './boot-checks.js';

const unfinished = {
  name: 'poststarthook/x',
  check: () => {
    throw new Error('not finished');
  },
};
const signal = new AbortController().signal;

it('a check of the start counts at /livez as well when there is no grace period', () => {
  const checks = bootChecks(unfinished, { clock: new VirtualClock(), livezGraceMs: 0 });
  assert.deepEqual(checks, [unfinished]);
});

it('a check of the start passes at /livez during the grace period', async () => {
  const clock = new VirtualClock();
  const [others, livez] = bootChecks(unfinished, { clock, livezGraceMs: 5000 });
  assert.deepEqual([others?.roots, livez?.roots, livez?.name], [['healthz', 'readyz'], ['livez'], 'poststarthook/x']);
  assert.throws(() => others?.check(signal), /not finished/);
  await clock.advance(5000);
  assert.equal(livez?.check(signal), undefined);
  await clock.advance(1);
  assert.throws(() => livez?.check(signal), /not finished/);
});
