import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { lockCluster } from './cluster-lock.js';

describe('the lock of a cluster', () => {
  it('refuses a second command until the first has ended, and leaves no file', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'cluster-lock-'));
    try {
      const directory = join(parent, 'clusters');
      {
        using _lock = await lockCluster(directory, 'dev');
        await assert.rejects(lockCluster(directory, 'dev'), /another command is changing cluster dev; try again/);
        using _other = await lockCluster(directory, 'test');
      }
      assert.deepEqual(readdirSync(directory), []);
      using _again = await lockCluster(directory, 'dev');
    } finally {
      rmSync(parent, { recursive: true });
    }
  });
});
