import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openEmbeddedKV } from '../index.js';
import { checkStore } from '../maintenance/index.js';
import { DATA_FILE } from './data-file.js';
import { NODE_HEADER_BYTES, nodeCount, nodeStart, PAGE_HEADER_BYTES, PageFile, readNode } from './page-file.js';
import { tablesOf } from './page-tree.js';

const KEYS = 40;
const name = (index: number): string => `/things/${String(index).padStart(2, '0')}`;
const put = (index: number, expectedRevision: number) =>
  ({ key: name(index), expectedRevision, operation: { type: 'put', value: Buffer.from('{}') } }) as const;

/** The leaf of a one-level tree: a view on the bytes of the file, and its position. */
interface Leaf {
  readonly page: Buffer;
  /** The offset of an entry's key in the page. */
  keyAt(index: number): number;
  keyOf(index: number): string;
}

function leafOf(bytes: Buffer, file: PageFile, root: number | undefined): Leaf {
  const start = (root ?? 0) * file.pageSize;
  const page = bytes.subarray(start, start + file.pageSize);
  return {
    page,
    keyAt: (index) => nodeStart(page, index) + NODE_HEADER_BYTES,
    keyOf: (index) => String(readNode(page, index, false)?.key),
  };
}

/** Damages a store of {@link KEYS} keys and free pages, and passes its directory on. */
async function withDamage(
  damage: (bytes: Buffer, file: PageFile) => void,
  run: (directory: string) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'kv-pages-'));
  try {
    const kv = await openEmbeddedKV({ directory });
    for (let index = 0; index < KEYS; index += 1) await kv.txn(put(index, 0));
    await kv.close();
    assert.deepEqual((await checkStore({ directory })).problems, []);
    const dataFile = join(directory, DATA_FILE);
    const bytes = readFileSync(dataFile);
    {
      using file = PageFile.open(dataFile);
      damage(bytes, file);
    }
    writeFileSync(dataFile, bytes);
    await run(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Neither the check nor the server takes the store. */
async function assertRefused(directory: string, message: RegExp): Promise<void> {
  await assert.rejects(checkStore({ directory }), { code: 'corrupt', message });
  await assert.rejects(openEmbeddedKV({ directory }), { code: 'corrupt', message });
}

describe('a store is not opened', { timeout: 600_000 }, () => {
  it('if an entry hides its neighbor', () =>
    withDamage(
      (bytes, file) => {
        const { page } = leafOf(bytes, file, tablesOf(file).index?.root);
        page.copy(page, PAGE_HEADER_BYTES + 2, PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + 2);
      },
      (directory) => assertRefused(directory, /index: page \d+ is damaged/),
    ));

  it('if a page is listed as free twice', () =>
    withDamage(
      (bytes, file) => {
        const leaf = leafOf(bytes, file, file.freeTree.root);
        const count = nodeCount(leaf.page) ?? 0;
        const lists = Array.from({ length: count }, (_, index) => leaf.page.subarray(leaf.keyAt(index) + 8));
        const pages = lists.flatMap((list) =>
          Array.from({ length: Number(list.readBigInt64LE(0)) }, (_, index) => list.subarray(8 + index * 8)),
        );
        const [first, second] = pages.filter((page) => page.readBigInt64LE(0) > 1n);
        assert.ok(first !== undefined && second !== undefined);
        second.writeBigInt64LE(first.readBigInt64LE(0), 0);
      },
      (directory) => assertRefused(directory, /page \d+ is listed as free twice/),
    ));

  it('if LMDB would order or read a table in another way', () =>
    withDamage(
      (bytes, file) => {
        const leaf = leafOf(bytes, file, file.mainTree.root);
        const flagsAt = leaf.keyAt(2) + leaf.keyOf(2).length + 4;
        leaf.page.writeUInt16LE(0x80, flagsAt);
      },
      (directory) => assertRefused(directory, /log: bad flags/),
    ));
});

describe('a store whose damaged keys are out of order', { timeout: 600_000 }, () => {
  const damage = (bytes: Buffer, file: PageFile): void => {
    const leaf = leafOf(bytes, file, tablesOf(file).index?.root);
    assert.equal(leaf.keyOf(20), name(20));
    // "/things/20" becomes "/things/r0", which sorts after all others.
    leaf.page[leaf.keyAt(20) + '/things/'.length] = 0x72;
  };

  it('can be read but not written, so that no other key is lost', () =>
    withDamage(damage, async (directory) => {
      const unwritable = {
        code: 'corrupt',
        message: /index: page \d+ has damaged keys out of order; no writes are accepted until it is repaired/,
      };
      await using kv = await openEmbeddedKV({ directory });
      await assert.rejects(kv.txn(put(KEYS, 0)), unwritable);
      await assert.rejects(kv.txn(put(21, 23)), unwritable);
      await assert.rejects(kv.checkHealth(), unwritable);
      for (let index = 0; index < KEYS; index += 1) {
        const read = kv.range({ prefix: name(index), exact: true });
        if (index === 20) await assert.rejects(read, { code: 'corrupt', message: /"\/things\/20"/ });
        else assert.equal((await read).items.length, 1, name(index));
      }
    }));

  it('is found by the check', () =>
    withDamage(damage, async (directory) => {
      assert.match((await checkStore({ directory })).problems.join(), /index is out of order/);
    }));
});

describe('a store with a damaged key in its place', { timeout: 600_000 }, () => {
  it('accepts writes to all other keys', () =>
    withDamage(
      (bytes, file) => {
        const leaf = leafOf(bytes, file, tablesOf(file).index?.root);
        // "/things/39" becomes "/things/3~", the last one again.
        leaf.page[leaf.keyAt(KEYS - 1) + '/things/3'.length] = 0x7e;
      },
      async (directory) => {
        await using kv = await openEmbeddedKV({ directory });
        for (let index = 0; index < KEYS - 1; index += 1) {
          assert.equal((await kv.txn(put(index, index + 2))).succeeded, true, name(index));
        }
        await assert.rejects(kv.txn(put(KEYS - 1, 0)), { code: 'corrupt' });
        await kv.checkHealth();
      },
    ));
});
