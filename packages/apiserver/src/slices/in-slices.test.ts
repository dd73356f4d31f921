import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Steps } from '@binnacle/apimachinery/work';
import { inSlices } from './index.js';

describe('inSlices', () => {
  it('lets others run in the middle of work that never ends by itself', async () => {
    const others = new AbortController();
    function* untilStopped(): Steps<string> {
      while (!others.signal.aborted) yield;
      return 'stopped';
    }
    setImmediate(() => others.abort());
    assert.equal(await inSlices(untilStopped()), 'stopped');
  });

  it('rejects with what the work throws', async () => {
    function* failing(): Steps<void> {
      yield;
      throw new Error('no');
    }
    await assert.rejects(inSlices(failing()), /^Error: no$/);
  });
});
