import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { DEFAULT_PAGE_SIZE } from './data-file.js';
import { openEmbeddedKV } from '../index.js';
import { checkStore } from '../maintenance/index.js';
import { OVERFLOW } from './page-file.js';

const LARGE = Buffer.alloc(20_000, 'x');
const damaged = { name: 'KVError', code: 'corrupt', message: /data\.mdb is damaged: log: page \d+ is damaged$/ };

it('a corrupt page of a large value leaves the value readable, and prevents that pages are freed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kv-overflow-'));
  const put = (value: Uint8Array, expectedRevision: number) =>
    ({ key: '/a', expectedRevision, operation: { type: 'put', value } }) as const;
  try {
    const whole = await openEmbeddedKV({ directory });
    await whole.txn(put(LARGE, 0));
    await whole.txn(put(Buffer.from('small'), 2));
    await whole.close();
    const file = join(directory, 'data.mdb');
    const bytes = readFileSync(file);
    const pages = Array.from({ length: bytes.length / DEFAULT_PAGE_SIZE }, (_, page) => page * DEFAULT_PAGE_SIZE);
    const found = pages.find((page) => bytes.readUInt16LE(page + 18) === OVERFLOW) ?? assert.fail('no large value');
    // LMDB would free this many more pages, whatever they contain.
    bytes.writeUInt32LE(bytes.readUInt32LE(found + 20) + 1, found + 20);
    writeFileSync(file, bytes);

    await assert.rejects(checkStore({ directory, isEncoded: () => true }), damaged);
    await using kv = await openEmbeddedKV({ directory });
    const past = await kv.range({ prefix: '/a', exact: true, revision: 2 });
    assert.deepEqual(Buffer.from(past.items[0]?.value ?? []), LARGE);
    await assert.rejects(kv.compact(3), damaged);
    await assert.rejects(kv.txn(put(LARGE, 3)), damaged);
    await assert.rejects(kv.checkHealth(), damaged);
    assert.equal((await kv.range({ prefix: '/a', exact: true })).items[0]?.modRevision, 3);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
