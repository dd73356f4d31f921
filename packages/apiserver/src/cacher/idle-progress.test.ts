import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdleProgress } from './idle-progress.js';

describe('IdleProgress', () => {
  for (const isRemote of [true, false]) {
    it(isRemote ? 'asks a remote store every 30 seconds until it stops' : 'asks no in-process store', (context) => {
      context.mock.timers.enable({ apis: ['setInterval'] });
      let asked = 0;
      const progress = new IdleProgress({ isRemote, requestProgress: () => ++asked > 0 });
      progress.start();
      progress.start();
      context.mock.timers.tick(60_000);
      assert.equal(asked, isRemote ? 2 : 0);
      progress.stop();
      progress.start();
      context.mock.timers.tick(60_000);
      assert.equal(asked, isRemote ? 2 : 0);
    });
  }
});
