import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openEmbeddedKV } from '../index.js';
import { checkStore, compactStore } from '../maintenance/index.js';
import { DATA_FILE, DEFAULT_PAGE_SIZE } from './data-file.js';

const FREE_ROOT_OFFSET = 88;
const TRANSACTION_OFFSET = 152;
const META_BYTES = 160;

/** The meta page of the newest commit. */
function newestMeta(bytes: Buffer): Buffer {
  const metas = [0, DEFAULT_PAGE_SIZE].map((start) => bytes.subarray(start, start + META_BYTES));
  const [first, second] = metas.map((meta) => meta.readBigUInt64LE(TRANSACTION_OFFSET));
  const newest = metas[(first ?? 0n) > (second ?? 0n) ? 0 : 1];
  assert.ok(newest !== undefined);
  return newest;
}

const flip = (bit: bigint) => (bytes: Buffer) => {
  const meta = newestMeta(bytes);
  meta.writeBigUInt64LE(meta.readBigUInt64LE(TRANSACTION_OFFSET) ^ (1n << bit), TRANSACTION_OFFSET);
};

const damages: readonly (readonly [what: string, isCopy: boolean, damage: (bytes: Buffer) => void])[] = [
  ['a copy whose commit would be looked for on the empty meta page', true, flip(0n)],
  ['a copy of a transaction that LMDB cannot count on from', true, flip(55n)],
  ['a commit that claims to be the one before the last', false, flip(1n)],
  [
    'a tree that is nearly empty',
    true,
    (bytes) => newestMeta(bytes).writeBigUInt64LE(2n ** 64n - 2n, FREE_ROOT_OFFSET),
  ],
  [
    'swapped meta pages',
    false,
    (bytes) => {
      const first = Buffer.from(bytes.subarray(0, META_BYTES));
      bytes.copy(bytes, 0, DEFAULT_PAGE_SIZE, DEFAULT_PAGE_SIZE + META_BYTES);
      first.copy(bytes, DEFAULT_PAGE_SIZE);
    },
  ],
];

describe('a file with damaged meta pages is refused', { timeout: 600_000 }, () => {
  for (const [what, isCopy, damage] of damages) {
    it(what, async () => {
      const directory = await mkdtemp(join(tmpdir(), 'kv-meta-'));
      try {
        const kv = await openEmbeddedKV({ directory });
        let commits = 0;
        // The second bit of the transaction must be set, for its flip to lead back.
        const file = join(directory, DATA_FILE);
        do {
          const operation = { type: 'put', value: Buffer.from('{}') } as const;
          await kv.txn({ key: `/a${commits}`, expectedRevision: 0, operation });
          commits += 1;
        } while ((newestMeta(readFileSync(file)).readBigUInt64LE(TRANSACTION_OFFSET) & 2n) === 0n);
        await kv.close();
        if (isCopy) await compactStore({ directory });
        assert.deepEqual((await checkStore({ directory })).problems, []);
        const bytes = readFileSync(file);
        damage(bytes);
        writeFileSync(file, bytes);
        const corrupt = { code: 'corrupt', message: /its first pages are damaged/ };
        await assert.rejects(checkStore({ directory }), corrupt);
        await assert.rejects(openEmbeddedKV({ directory }), corrupt);
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    });
  }
});
