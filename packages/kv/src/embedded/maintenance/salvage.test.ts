import assert from 'node:assert/strict';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openEmbeddedKV } from '../index.js';
import { DATA_FILE } from '../pages/data-file.js';
import { nodeCount, PageFile, readNode, type TreeRecord } from '../pages/page-file.js';
import { tablesOf } from '../pages/page-tree.js';
import { repairStore } from './index.js';
import { contentOf, fill, inDirectory, object, remove, write } from './store.testing.js';

/** The page that holds the newest records of the log. */
function lastLeaf(file: PageFile, { root, depth }: TreeRecord): number {
  let number = root ?? 0;
  for (let level = 1; level < depth; level += 1) {
    const page = file.read(number);
    assert.ok(page !== undefined);
    const node = readNode(page, (nodeCount(page) ?? 0) - 1, true);
    assert.ok(node !== undefined);
    number = node.child;
  }
  return number;
}

/** Overwrites the page with the newest records, in which are the deletions. */
function loseLastLeaf(directory: string): void {
  const name = join(directory, DATA_FILE);
  using file = PageFile.open(name);
  const { log } = tablesOf(file);
  assert.ok(log !== undefined && log.depth > 1);
  const bytes = readFileSync(name);
  const start = lastLeaf(file, log) * file.pageSize;
  bytes.fill(0, start, start + file.pageSize);
  writeFileSync(name, bytes);
}

describe('a repair without the newest page of the log', () => {
  it('brings no deleted key back that the index does not have', () =>
    inDirectory(async (directory) => {
      const kv = await openEmbeddedKV({ directory });
      for (let index = 0; index < 300; index += 1) await write(kv, `/registry/things/${index}`, object('', 200));
      const { items } = await kv.range({ prefix: '/registry/things/1' });
      for (const { key, modRevision } of items.slice(0, 20)) {
        await kv.txn({ key, expectedRevision: modRevision, operation: { type: 'delete' } });
      }
      await kv.close();
      const before = await contentOf(directory);
      loseLastLeaf(directory);
      await repairStore({ directory });
      const kept = new Set(before.items.map(({ key }) => key));
      const { items: found } = await contentOf(directory);
      assert.ok(found.length > 200, 'most are brought back');
      assert.deepEqual(
        found.filter(({ key }) => !kept.has(key)),
        [],
      );
    }));
});

/** Damages the meta page of the newest commit. */
function damageNewestMeta(directory: string, damage: (meta: Buffer) => void): void {
  const name = join(directory, DATA_FILE);
  const bytes = readFileSync(name);
  const metas = [bytes.subarray(0, 16384), bytes.subarray(16384, 32768)];
  const newest = metas.toSorted((a, b) => Number(a.readBigUInt64LE(152) - b.readBigUInt64LE(152))).at(-1);
  assert.ok(newest !== undefined);
  damage(newest);
  writeFileSync(name, bytes);
}

describe('a repair of a store with a damaged meta page', () => {
  const damages: Readonly<Record<string, readonly [damage: (meta: Buffer) => unknown, isSearched: boolean]>> = {
    'keeps the last commit if its trees can be found': [(meta) => meta.fill(0, 24, 28), false],
    'searches for the last commit if its trees cannot be found': [(meta) => meta.fill(0x7f, 136, 144), true],
  };
  for (const [name, [damage, isSearched]] of Object.entries(damages)) {
    it(name, () =>
      inDirectory(async (directory) => {
        const kv = await openEmbeddedKV({ directory });
        for (let index = 0; index < 60; index += 1) await write(kv, `/registry/things/${index}`, object('', 600));
        await remove(kv, '/registry/things/7');
        await kv.compact((await kv.currentRevision()) - 5);
        await write(kv, '/registry/things/last', object('last', 300));
        await kv.close();
        const before = await contentOf(directory);
        damageNewestMeta(directory, damage);
        await assert.rejects(openEmbeddedKV({ directory }), { code: 'corrupt' });
        const report = await repairStore({ directory });
        assert.deepEqual(
          [report.uncertain, report.lost],
          isSearched ? [1, ['changes of the last commit that no readable page mentions']] : [0, []],
        );
        const { items, revision } = await contentOf(directory);
        // Clients must not meet a revision again.
        assert.equal(revision > before.revision, isSearched);
        assert.deepEqual(
          items.map(({ key, modRevision }) => `${key} ${modRevision}`),
          before.items.map(({ key, modRevision }) => `${key} ${modRevision}`),
        );
      }),
    );
  }

  it('says that keys may be lost if the file is cut', () =>
    inDirectory(async (directory) => {
      await fill(directory, 300);
      const name = join(directory, DATA_FILE);
      truncateSync(name, statSync(name).size >> 1);
      const { lost } = await repairStore({ directory });
      assert.ok(lost.includes('keys that no readable page mentions'), lost.join());
    }));
});
