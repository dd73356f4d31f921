import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { commitFailure } from './failure.js';
import { openFailure } from '../open.js';
import { openEmbeddedKV } from '../index.js';

const writer = fileURLToPath(new URL('./full-writer.testing.js', import.meta.url));

test('names the cause of a failed commit', async () => {
  const directory = tmpdir();
  const rejected = (code: unknown): Error => {
    const cause = Object.assign(new Error('reason'), { code });
    return Object.assign(new Error('Commit failed'), { commitError: Promise.reject(cause) });
  };
  for (const code of [28, 27, 122, -30792])
    assert.equal((await commitFailure(rejected(code), directory, 1)).code, 'full');
  const other = await commitFailure(rejected(5), directory, 1);
  assert.equal(other.code, 'unavailable');
  assert.match(other.message, /failed: reason$/);
  assert.equal((await commitFailure(rejected(5), directory, Number.MAX_SAFE_INTEGER)).code, 'full');
  assert.equal((await commitFailure('odd', directory, 1)).code, 'unavailable');
});

test('does not report a system limit as corruption', () => {
  const failed = (code: number | undefined) =>
    openFailure('d', Object.assign(new Error('Cannot allocate memory'), code === undefined ? {} : { code }));
  assert.equal(failed(12).code, 'unavailable');
  assert.equal(failed(-30793).code, 'corrupt');
  assert.equal(failed(undefined).code, 'corrupt');
});

const skip = process.platform === 'win32' ? 'no limits on the size of files' : false;
test('fails the write if the store cannot grow, and keeps working', { timeout: 600_000, skip }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kv-full-'));
  try {
    // 16384 blocks of 512 bytes. The limit truncates a write, as a full disk does.
    const { stdout } = spawnSync('sh', [
      '-c',
      'ulimit -f 16384 && exec "$0" "$@"',
      process.execPath,
      writer,
      directory,
    ]);
    const said: unknown = JSON.parse(stdout.toString());
    assert.ok(typeof said === 'object' && said !== null);
    const { acknowledged, codes, readable, revision } = {
      acknowledged: 0,
      codes: [],
      readable: 0,
      revision: 0,
      ...said,
    };
    assert.ok(acknowledged > 50);
    assert.equal(readable, acknowledged);
    assert.equal(revision, acknowledged + 1);
    for (const code of codes) assert.ok(code === 'full' || code === 'unavailable', String(code));
    await using kv = await openEmbeddedKV({ directory });
    assert.equal((await kv.range({ prefix: '/full/' })).count, acknowledged);
    const operation = { type: 'put', value: Buffer.from('x') } as const;
    assert.deepEqual(await kv.txn({ key: '/full/more', expectedRevision: 0, operation }), {
      succeeded: true,
      revision: acknowledged + 2,
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
