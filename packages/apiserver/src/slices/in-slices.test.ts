import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Steps } from '@binnacle/apimachinery/work';
import { inSlices, onceInSlices } from './index.js';

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

describe('onceInSlices', () => {
  it('runs a computation once for all who wait for it', async () => {
    let begun = 0;
    const others = new AbortController();
    const get = onceInSlices(function* (): Steps<number> {
      begun++;
      while (!others.signal.aborted) yield;
      return begun;
    });
    setImmediate(() => others.abort());
    assert.deepEqual(await Promise.all([get(), get()]), [1, 1]);
    assert.equal(get(), 1);
  });

  it('begins again after an error', async () => {
    let begun = 0;
    const get = onceInSlices(function* (): Steps<number> {
      begun++;
      yield;
      if (begun === 1) throw new Error('no');
      return begun;
    });
    await assert.rejects(async () => get(), /^Error: no$/);
    assert.equal(await get(), 2);
  });
});
