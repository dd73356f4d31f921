import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endpointsOf, serving, slicesByService } from './service-endpoints.js';
import { endpoint, slice } from './traffic.testing.js';

describe('the endpoints of a port', { skip: process.platform !== 'linux' && 'one loopback address' }, () => {
  const found = (...given: Parameters<typeof slice>[0]) => endpointsOf([slice(given)], 'http');

  it('are processes, with what their conditions say', () => {
    const ending = { ready: false, serving: true, terminating: true };
    const cases = [
      [undefined, true, false],
      [{}, true, false],
      [{ ready: false }, false, false],
      [ending, false, true],
      [{ ...ending, serving: false }, false, false],
    ] as const;
    for (const [conditions, isReady, isEnding] of cases) {
      const [only] = found({ addresses: ['10.250.1.2'], ...(conditions === undefined ? {} : { conditions }) });
      assert.deepEqual(only, { host: '127.250.1.2', port: 9000, isReady, isEnding });
    }
    assert.deepEqual(found({ addresses: ['10.128.0.2'] }), []);
    assert.deepEqual(endpointsOf([slice([{ addresses: ['10.250.1.2'] }])], 'other'), []);
  });

  it('that end take connections if none is ready', () => {
    const [ready, ending, neither] = [endpoint('a'), endpoint('b', 'ending'), endpoint('c', 'unready')];
    assert.deepEqual(serving([ready, ending, neither]), [ready]);
    assert.deepEqual(serving([ending, neither]), [ending]);
    assert.deepEqual(serving([neither]), []);
  });
});

it('slices belong to the service of their label and namespace', () => {
  const [one, two, other] = [slice([]), slice([]), slice([], { namespace: 'other' })];
  const known = slicesByService([one, two, other]);
  assert.deepEqual([known.get('n/s'), known.get('other/s')], [[one, two], [other]]);
});
