import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { MessageWriter } from '../messages/wire.js';
import { type BoltEntry, boltFile } from './bolt-file.testing.js';
import { readEtcdSnapshot } from './etcd-snapshot.js';
import { SnapshotError } from './snapshot-error.js';

/** An entry of etcd. Without a value, it is a deletion. */
function written(revision: number, key: string, value?: string | Buffer): BoltEntry {
  const name = Buffer.alloc(17);
  name.writeBigUInt64BE(BigInt(revision), 0);
  name.write('_', 8);
  const writer = new MessageWriter(200 + (value?.length ?? 0));
  if (value !== undefined) writer.bytes(5, Buffer.from(value));
  writer.integer(3, revision);
  writer.integer(2, revision);
  writer.bytes(1, Buffer.from(key));
  return [value === undefined ? Buffer.concat([name, Buffer.from('t')]) : name, writer.finish()];
}

const entries = [
  written(2, '/registry/a', 'old'),
  written(3, '/registry/b', 'deleted'),
  written(4, '/other/c', 'outside the prefix'),
  written(5, '/registry/a', 'new'),
  written(6, '/registry/b'),
  written(7, '/registry/d', Buffer.alloc(10_000, 'd')),
  written(8, '/registry/e', 'first'),
  written(9, '/registry/e'),
  written(10, '/registry/e', 'again'),
];
const expected = [
  [10, '/registry/e', 'again'],
  [7, '/registry/d', 'd'.repeat(10_000)],
  [5, '/registry/a', 'new'],
];

describe('readEtcdSnapshot', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'etcd-snapshot-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function read(content: Buffer) {
    const path = join(folder, 'db');
    writeFileSync(path, content);
    const found = [];
    for await (const { key, value, modRevision } of readEtcdSnapshot(path, '/registry/')) {
      found.push([modRevision, key, Buffer.from(value).toString()]);
    }
    return found;
  }
  const refuses = (content: Buffer, reason: RegExp) =>
    assert.rejects(read(content), (error) => error instanceof SnapshotError && reason.test(error.message));

  it('yields the newest value of each key that is not deleted, newest first', async () => {
    assert.deepEqual(await read(boltFile(entries)), expected);
    assert.deepEqual(await read(boltFile(entries, { fanOut: 2 })), expected);
    assert.deepEqual(await read(boltFile(entries, { isInline: true })), expected);
    assert.deepEqual(await read(boltFile([])), []);
  });

  it('verifies the hash at the end of a saved snapshot', async () => {
    const file = boltFile(entries);
    const saved = Buffer.concat([file, createHash('sha256').update(file).digest()]);
    assert.deepEqual(await read(saved), expected);
    saved[5000] = (saved[5000] ?? 0) ^ 1;
    await refuses(saved, /^its hash does not match/);
  });

  it('takes the other page of metadata when one is damaged', async () => {
    const first = boltFile(entries);
    first.fill(0, 30, 60);
    assert.deepEqual(await read(first), expected);
    const second = boltFile(entries);
    second.fill(0, 4096 + 30, 4096 + 60);
    assert.deepEqual(await read(second), expected);
    second.fill(0, 30, 60);
    await refuses(second, /^its first pages are damaged/);
  });

  it('ends at pages that lead to one another, or out of the file', async () => {
    const branchOf = (id: number): Buffer => {
      const file = boltFile(entries, { fanOut: 2 });
      for (let page = 2 * 4096; page < file.length; page += 4096) {
        if (file.readUInt16LE(page + 8) === 1) file.writeBigUInt64LE(BigInt(id), page + 16 + 8);
      }
      return file;
    };
    await refuses(branchOf(1_000_000), /^page 1000000 is outside of the file/);
    const file = branchOf(2);
    const top = [...file.keys()].find((at) => at >= 8192 && at % 4096 === 0 && file.readUInt16LE(at + 8) === 1) ?? 0;
    await refuses(branchOf(top / 4096), /^its (?:pages lead to one another|tree of pages has no end)/);
  });

  it('ends when long pages overlap, after as many bytes as the file has', async () => {
    const file = boltFile(entries, { fanOut: 2 });
    const last = file.length / 4096 - 1;
    for (let page = 2; page < last; page += 1) {
      const isLeaf = file.readUInt16LE(page * 4096 + 8) === 2;
      // Each leaf continues to the end of the file.
      if (isLeaf) file.writeUInt32LE(last - page, page * 4096 + 12);
    }
    await refuses(file, /^its pages lead to one another/);
  });

  it('refuses other files, and cut-off ones, in words', async () => {
    await refuses(Buffer.from('kind: Pod'), /^its first pages are damaged/);
    const file = boltFile(entries);
    for (let length = 8192 - 64; length < file.length; length += 1000) {
      await assert.rejects(read(file.subarray(0, length)), SnapshotError, String(length));
    }
  });

  it('ends with an answer or an error for whatever bit is wrong', async () => {
    const file = boltFile(entries);
    for (let bit = 0; bit < file.length * 8; bit += 1999) {
      const damaged = Buffer.from(file);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await read(damaged).catch((error: unknown) => assert.ok(error instanceof SnapshotError, String(error)));
    }
  });
});
