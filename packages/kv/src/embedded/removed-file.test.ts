import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type KV, KVError, type TxnResult } from '../interface/index.js';
import { openEmbeddedKV } from './index.js';

const put = (kv: KV, key: string): Promise<TxnResult> =>
  kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value: Buffer.from('{}') } });

async function inDirectory(run: (parent: string) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'kv-removed-'));
  try {
    await run(parent);
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

async function refusesWrites(kv: KV, directory: string): Promise<void> {
  const refused = (error: unknown): boolean => {
    assert.ok(error instanceof KVError);
    assert.equal(error.code, 'unavailable');
    assert.ok(error.message.includes(`${join(directory, 'data.mdb')} was deleted or replaced`), error.message);
    return true;
  };
  const results = await Promise.allSettled(Array.from({ length: 100 }, (_, index) => put(kv, `/lost/${index}`)));
  for (const result of results) refused(result.status === 'rejected' ? result.reason : undefined);
  await assert.rejects(kv.compact(await kv.currentRevision()), refused);
  await assert.rejects(kv.checkHealth(), refused);
  // Reads work because the file is still open.
  assert.equal((await kv.range({ prefix: '/kept/' })).count, 1);
  assert.equal((await kv.range({ prefix: '/lost/' })).count, 0);
}

describe('a store whose file disappears', { timeout: 600_000 }, () => {
  it('acknowledges nothing once its directory is deleted', () =>
    inDirectory(async (parent) => {
      const directory = join(parent, 'store');
      await using kv = await openEmbeddedKV({ directory });
      await put(kv, '/kept/1');
      await kv.checkHealth();
      await rm(directory, { recursive: true });
      await refusesWrites(kv, directory);
    }));

  it('acknowledges nothing once its directory or file is replaced', () =>
    inDirectory(async (parent) => {
      for (const name of ['store', 'store/data.mdb']) {
        const directory = join(parent, 'store');
        await using kv = await openEmbeddedKV({ directory });
        await put(kv, '/kept/1');
        await rename(join(parent, name), join(parent, 'aside'));
        await mkdir(directory, { recursive: true });
        const original = name === 'store' ? join(parent, 'aside', 'data.mdb') : join(parent, 'aside');
        await copyFile(original, join(directory, 'data.mdb'));
        await refusesWrites(kv, directory);
        await kv.close();
        await rm(join(parent, 'aside'), { recursive: true });
        await rm(directory, { recursive: true });
      }
    }));

  it('continues when its directory is back', () =>
    inDirectory(async (parent) => {
      const directory = join(parent, 'store');
      await using kv = await openEmbeddedKV({ directory });
      await put(kv, '/kept/1');
      await rename(directory, join(parent, 'aside'));
      await refusesWrites(kv, directory);
      await rename(join(parent, 'aside'), directory);
      await kv.checkHealth();
      assert.equal((await put(kv, '/kept/2')).succeeded, true);
    }));
});
