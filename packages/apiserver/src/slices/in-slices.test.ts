import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Steps } from '@binnacle/apimachinery/work';
import { inSlices } from './index.js';

describe('inSlices', () => {
  it('yields to other work in the middle of an endless computation', async () => {
    const others = new AbortController();
    function* untilStopped(): Steps<string> {
      while (!others.signal.aborted) yield;
      return 'stopped';
    }
    setImmediate(() => others.abort());
    assert.equal(await inSlices(untilStopped()), 'stopped');
  });

  it('ends with the reason of its signal', async () => {
    const request = new AbortController();
    function* endless(): Steps<void> {
      for (;;) yield;
    }
    setImmediate(() => request.abort(new Error('too late')));
    await assert.rejects(async () => inSlices(endless(), request.signal), /^Error: too late$/);
    await assert.rejects(async () => inSlices(endless(), request.signal), /^Error: too late$/);
  });

  it('rejects with the error of the computation', async () => {
    function* failing(): Steps<void> {
      yield;
      throw new Error('no');
    }
    await assert.rejects(async () => inSlices(failing()), /^Error: no$/);
  });
});
