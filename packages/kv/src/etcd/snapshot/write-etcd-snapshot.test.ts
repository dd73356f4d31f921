import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { seededRandom } from '@binnacle/apimachinery/clock';
import { BoltFile } from './bolt-file.js';
import type { BoltEntry } from './bolt-format.js';
import { readEtcdSnapshot } from './etcd-snapshot.js';
import { writeBoltFile } from './write-bolt-file.js';
import { type SnapshotEntry, writeEtcdSnapshot } from './write-etcd-snapshot.js';

const PAGE = 4096;
/** Around a page, and far over it. */
const SIZES = [0, 1, 40, 200, 2000, 4000, PAGE - 49, PAGE, PAGE + 1, 70_000];

describe('writing a snapshot of etcd', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'etcd-snapshot-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function writeSnapshot(entries: Iterable<SnapshotEntry>, revision: number): Promise<string> {
    const path = join(folder, 'db');
    await using file = await open(path, 'w+');
    await writeEtcdSnapshot(file, entries, revision);
    return path;
  }

  async function readAll(path: string): Promise<SnapshotEntry[]> {
    const found = [];
    for await (const { key, value, modRevision } of readEtcdSnapshot(path, '')) {
      found.push({ key, value: Buffer.from(value), revision: modRevision });
    }
    return found.reverse();
  }

  it('is read as it was written, whatever the sizes', async () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const random = seededRandom(seed);
      const count = Math.floor(random.number() * 400);
      let revision = 1;
      const entries = Array.from({ length: count }, (_, index) => {
        revision += 1 + Math.floor(random.number() * 1000);
        const size = SIZES[Math.floor(random.number() * SIZES.length)] ?? 0;
        const key = `/registry/${index}/${'é'.repeat(Math.floor(random.number() * 200))}`;
        return { key, value: Buffer.from(random.bytes(size)), revision };
      });
      assert.deepEqual(await readAll(await writeSnapshot(entries, revision)), entries, `seed ${seed}`);
    }
  });

  it('has branches in several levels when there are many keys, and few pages', async () => {
    const count = 60_000;
    function* many(): Generator<SnapshotEntry> {
      for (let index = 0; index < count; index += 1) {
        yield { key: `/registry/things/${index}`, value: Buffer.from(`${index}`), revision: index + 2 };
      }
    }
    const path = await writeSnapshot(many(), count + 1);
    // About 80 bytes each, in pages that are full.
    assert.ok(statSync(path).size < count * 100);
    let expected = count;
    for await (const { key, value, modRevision } of readEtcdSnapshot(path, '/registry/')) {
      expected -= 1;
      assert.deepEqual(
        [key, Buffer.from(value).toString(), modRevision],
        [`/registry/things/${expected}`, `${expected}`, expected + 2],
      );
    }
    assert.equal(expected, 0);
  });

  it('refuses revisions that do not ascend', async () => {
    const entry = (revision: number) => ({ key: `/${revision}`, value: Buffer.alloc(0), revision });
    await assert.rejects(writeSnapshot([entry(3), entry(3)], 3), /revision 3 does not follow 3/);
    await assert.rejects(writeSnapshot([entry(1)], 3), /revision 1 does not follow 1/);
  });

  it('writes buckets whose keys are of any length', async () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const random = seededRandom(seed);
      const names = Array.from({ length: 1 + Math.floor(random.number() * 300) }, (_, index) => {
        const length = 1 + Math.floor(random.number() ** 8 * 30_000);
        return Buffer.from(`${String(index).padStart(4, '0')}${'k'.repeat(length)}`);
      });
      const entries: BoltEntry[] = names.map((name) => [name, Buffer.from(random.bytes(random.number() * 300))]);
      const path = join(folder, `bolt-${seed}`);
      {
        await using file = await open(path, 'w+');
        assert.equal(
          await writeBoltFile(file, [
            { name: 'a', entries },
            { name: 'b', entries: [] },
          ]),
          statSync(path).size,
        );
      }
      await using file = await BoltFile.open(path);
      const found: BoltEntry[] = [];
      for await (const { key, value } of file.descending('a')) found.unshift([Buffer.from(key), Buffer.from(value)]);
      assert.deepEqual(found, entries, `seed ${seed}`);
      for await (const { key } of file.descending('b')) assert.fail(key.toString());
    }
  });
});
