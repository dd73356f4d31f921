import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { IdleProgress } from './idle-progress.js';

describe('IdleProgress', () => {
  for (const isRemote of [true, false]) {
    it(isRemote ? 'asks a remote store every 30 seconds until it stops' : 'asks no in-process store', async () => {
      const clock = new VirtualClock();
      let asked = 0;
      const progress = new IdleProgress({ isRemote, requestProgress: () => ++asked > 0 }, clock);
      progress.start();
      progress.start();
      await clock.advance(60_000);
      assert.equal(asked, isRemote ? 2 : 0);
      progress.stop();
      progress.start();
      await clock.advance(60_000);
      assert.equal(asked, isRemote ? 2 : 0);
    });
  }
});
