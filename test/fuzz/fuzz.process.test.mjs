import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Random } from '../model/random.mjs';
import { fuzz, isFailure } from './fuzz.mjs';
import { requestOf } from './grammar/requests.mjs';
import { growth } from './growth.mjs';

/** A fixed seed, so that a failure comes from a change of the code; `npm run fuzz` draws its own. */
const seed = Number(process.env.FUZZ_SEED ?? 1);
const REQUESTS = 8_000;
/** More than the 200 ms of the command, because the machine may be busy. */
const SILENCE_MS = 400;
const GROWTH_BYTES = 60e6;

describe('random requests', { timeout: 900_000 }, () => {
  it(`cause no fault, silence or leak, seed ${seed}`, async (t) => {
    const { findings, statuses, heaps } = await fuzz({ count: REQUESTS, seed, silenceMs: SILENCE_MS });
    t.diagnostic(`statuses ${JSON.stringify(statuses)}, MB ${heaps.map((bytes) => Math.round(bytes / 1e6)).join(' ')}`);
    const shown = findings.map(({ what, text, requests }) => `${what}: ${text}\n  ${requests.join('\n  ')}`);
    assert.deepEqual(shown, []);
    assert.ok(statuses[201] > REQUESTS / 100 && statuses[200] > REQUESTS / 20, 'too few requests get to the store');
    assert.ok(growth(heaps) < GROWTH_BYTES, `memory grew by ${Math.round(growth(heaps) / 1e6)} MB`);
  });

  it('are the same for the same seed', () => {
    const made = () => Array.from({ length: 200 }, (_, index) => requestOf(new Random(7, `request ${index}`)));
    assert.deepEqual(made(), made());
  });
});

describe('findings', () => {
  it('include failures that the server did not foresee', () => {
    assert.equal(isFailure({ status: 500, text: '{"reason":"InternalError"}' }), true);
    assert.equal(isFailure({ status: 500, text: '{"message":"unknown patch type: x"}' }), false);
    assert.equal(isFailure({ status: 0, text: 'socket hang up' }), true);
    assert.equal(isFailure({ status: 0, text: 'ERR_HTTP2_STREAM_ERROR' }, '/api/v1/pods'), true);
    assert.equal(isFailure({ status: 0, text: 'ERR_HTTP2_STREAM_ERROR' }, '/api/v1/pods?timeout=1s'), false);
    assert.equal(isFailure({ status: 503, text: '' }), true);
    assert.equal(isFailure({ status: 503, text: 'pods/exec of a: no kubelet serves node b' }), false);
    assert.equal(isFailure({ status: 503, text: 'no endpoints available for service "a"' }), false);
    assert.equal(isFailure({ status: 504, text: 'Timeout: Too large resource version: 9' }), false);
    assert.equal(isFailure({ status: 504, text: 'allotted timeout' }, '/api?timeout=1s'), false);
    assert.equal(isFailure({ status: 504, text: 'allotted timeout' }, '/api?timeoutSeconds=1'), true);
    assert.equal(isFailure({ status: 422, text: '' }), false);
  });

  it('include growth from the second third of the rounds to the last', () => {
    assert.equal(growth([1, 2]), 0);
    assert.equal(growth([10, 50, 50, 50, 50, 50]), 0);
    assert.equal(growth([10, 10, 20, 20, 30, 30]), 10);
  });
});
