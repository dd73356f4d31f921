import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { createEngineKV } from '../../engine/index.js';
import { type KV, KVError, type TxnResult } from '../../interface/index.js';
import { EmbeddedBackend } from '../backend.js';
import { type Environment, openEnvironment } from '../environment.js';
import { openEmbeddedKV } from '../index.js';
import { lockStore } from '../locks/store-lock.js';

const put = (kv: KV, key: string): Promise<TxnResult> =>
  kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value: Buffer.alloc(2000, key) } });

async function inDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'kv-failing-'));
  try {
    await run(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function refusesWrites(kv: KV, code: string): Promise<void> {
  const because = (expected: string) => (error: unknown) => error instanceof KVError && error.code === expected;
  const { items } = await kv.range({ prefix: '/a/' });
  const expectedRevision = items[0]?.modRevision ?? 0;
  await assert.rejects(put(kv, '/b/refused'), because(code));
  // A second commit that fails in LMDB may end the process.
  for (let count = 0; count < 20; count += 1) {
    await assert.rejects(put(kv, '/b/refused'), because('unavailable'));
    const deletion = { key: '/a/kept', expectedRevision, operation: { type: 'delete' } } as const;
    await assert.rejects(kv.txn(deletion), because('unavailable'));
  }
  await assert.rejects(kv.compact(expectedRevision), because('unavailable'));
  await assert.rejects(kv.checkHealth(), {
    code: 'unavailable',
    message: /^no more writes go to .* since one failed \(.+\); fix the disk and restart the server$/,
  });
  assert.equal((await kv.range({ prefix: '/' })).count, 1, 'reads go on');
}

async function writesAfterOpening(directory: string): Promise<void> {
  await using kv = await openEmbeddedKV({ directory });
  await kv.checkHealth();
  assert.deepEqual(await put(kv, '/c/again'), { succeeded: true, revision: 3 });
  assert.equal((await kv.range({ prefix: '/' })).count, 2);
}

/** An environment whose commits fail with this system error number, as long as `fault` returns one. */
function failing(environment: Environment, fault: () => number | undefined): Environment {
  const commit = (run: () => void): Promise<void> => {
    const code = fault();
    return code === undefined
      ? environment.commit(run)
      : Promise.reject(Object.assign(new Error('write failed'), { code }));
  };
  return { ...environment, commit };
}

describe('a disk that fails while the store runs', { timeout: 600_000 }, () => {
  // Faults are injected: a commit that really fails in LMDB may end the process, for its binding writes the reason beyond a buffer.
  // `failure.test.ts` has a process that meets one.
  for (const [name, number, code] of [
    ['EIO', 5, 'unavailable'],
    ['EACCES', 13, 'unavailable'],
    ['EFBIG', 27, 'full'],
    ['EROFS', 30, 'unavailable'],
  ] as const) {
    it(`${name}: refuses writes and reports it, still reads, and writes again once reopened`, () =>
      inDirectory(async (directory) => {
        const lock = await lockStore(directory);
        const environment = await openEnvironment(directory, undefined);
        let fault: number | undefined;
        const backend = new EmbeddedBackend(
          failing(environment, () => fault),
          lock,
        );
        const kv = createEngineKV({ backend, clock: new VirtualClock(), now: () => 0 });
        await put(kv, '/a/kept');
        fault = number;
        await refusesWrites(kv, code);
        fault = undefined;
        await assert.rejects(put(kv, '/b/refused'), { code: 'unavailable' }, 'even if the disk has recovered');
        await kv.close();
        await writesAfterOpening(directory);
      }));
  }
});
