import assert from 'node:assert/strict';
import { it } from 'node:test';
import { failureOf, problemOf, questionAbout, stateIn } from './health-check.js';

it('a question about health names its service', () => {
  assert.equal(questionAbout('').length, 0);
  assert.equal(questionAbout('web').toString('hex'), '0a03776562');
});

it('an answer about health has a state', () => {
  for (const [hex, state, problem] of [
    ['', 0, 'service unhealthy (responded with "UNKNOWN")'],
    ['0801', 1, undefined],
    ['0802', 2, 'service unhealthy (responded with "NOT_SERVING")'],
    ['12010008 09'.replace(' ', ''), 9, 'service unhealthy (responded with "9")'],
  ] as const) {
    const found = stateIn(Buffer.from(hex, 'hex'));
    assert.deepEqual([found, problemOf(found)], [state, problem]);
  }
});

it('a failed question says why', () => {
  const failure = (code: number) => failureOf({ code, details: 'why' }, '2s');
  assert.deepEqual([4, 12, 14].map(failure), [
    'timeout: health rpc did not complete within 2s',
    'error: this server does not implement the grpc health protocol (grpc.health.v1.Health): why',
    'error: health rpc probe failed: why',
  ]);
});
