import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { open } from 'lmdb';
import { openEmbeddedKV } from '../index.js';
import { damageLargeValue } from '../pages/damage-large-value.testing.js';
import { DATA_FILE } from '../pages/data-file.js';
import { binary, fileOptions } from '../environment.js';
import { encodeExpiryKey, encodeMeta, encodePointer, writeNumber } from './layout.js';
import { encodeRecord } from './record.js';
import { backupStore, checkStore, compactStore, restoreStore } from '../maintenance/index.js';

const KEYS = 5000;
const EXPIRES_AT = 4_600_000;
const thing = (index: number): string => `/registry/things/${String(index).padStart(5, '0')}`;
const valueOf = (index: number): Buffer => Buffer.from(JSON.stringify({ index }));
const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  writeNumber(bytes, value, 0);
  return bytes;
};

/** A record in format 1. */
function oldRecord(key: string, revision: number, expiresAt: number, value: Buffer): Buffer {
  const head = Buffer.from([1, 0, 0, Buffer.byteLength(key)]);
  return Buffer.concat([head, number(revision), number(0), number(expiresAt), Buffer.from(key), value]);
}

interface Progress {
  /** The number of keys that are already in the current format. */
  readonly upgraded: number;
  /** No key is left. */
  readonly isComplete?: true;
}

/** A store of format 1 whose first key expires; with `progress`, one whose upgrade was interrupted. */
async function writeOldStore(directory: string, progress?: Progress): Promise<void> {
  const root = open<Buffer, Buffer>({ ...fileOptions, path: join(directory, DATA_FILE), overlappingSync: false });
  const table = (name: string) => root.openDB<Buffer, Buffer>({ ...binary, name });
  const [meta, index, log, expiring] = [table('meta'), table('index'), table('log'), table('expiring')];
  await root.batch(() => {
    for (let each = 0; each < KEYS; each += 1) {
      const [key, revision, value] = [thing(each), each + 2, valueOf(each)];
      const expiresAt = each === 0 ? EXPIRES_AT : 0;
      const fields = { type: 'put', key, createRevision: revision, previousRevision: 0, expiresAt, tag: 0 } as const;
      const isNew = each < (progress?.upgraded ?? 0);
      const record = isNew ? encodeRecord(revision, { ...fields, value }) : oldRecord(key, revision, expiresAt, value);
      void log.put(number(revision), record);
      const pointer = { createRevision: revision, modRevision: revision };
      const keyBytes = Buffer.from(key);
      const oldPointer = Buffer.concat([number(revision), number(revision)]);
      void index.put(keyBytes, isNew ? encodePointer(keyBytes, pointer) : oldPointer);
    }
    void expiring.put(encodeExpiryKey(EXPIRES_AT, 2), Buffer.from(thing(0)));
    void meta.put(Buffer.from('format'), Buffer.from(progress === undefined ? '1' : '2'));
    if (progress === undefined) return;
    for (const name of ['revision', 'compacted', 'removed']) void meta.put(Buffer.from(name), encodeMeta(name, 0));
    if (progress.isComplete !== true) void meta.put(Buffer.from('upgrading'), Buffer.from('1'));
  });
  await root.close();
}

/** A backup of format 1 with the same keys. */
function oldBackup(): Buffer {
  const frames = Array.from({ length: KEYS }, (_, each) => {
    const record = oldRecord(thing(each), each + 2, 0, valueOf(each));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(record.length);
    return Buffer.concat([length, number(each + 2), record]);
  });
  const values = Buffer.concat(frames);
  const summary = { format: 1, revision: KEYS + 1, keys: KEYS, bytes: values.length };
  const sha256 = createHash('sha256').update(values).update(JSON.stringify(summary)).digest('hex');
  const header = `binnacle-backup ${JSON.stringify({ ...summary, sha256 })}`;
  return Buffer.concat([Buffer.from(`${header.padEnd(255)}\n`), values]);
}

async function inDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'kv-upgrade-'));
  try {
    await run(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

describe('a store of format 1', { timeout: 600_000 }, () => {
  for (const [name, progress] of [
    ['is brought into the new format when it is opened', undefined],
    ['is brought into it to the end after an interruption', { upgraded: 1234 }],
  ] as const) {
    it(name, () =>
      inDirectory(async (directory) => {
        await writeOldStore(directory, progress);
        const refusal = { code: 'unavailable', message: /start the server or compact the store once/ };
        await assert.rejects(checkStore({ directory }), refusal);
        await assert.rejects(backupStore({ directory, file: join(directory, 'backup') }), refusal);
        const kv = await openEmbeddedKV({ directory, clock: new VirtualClock(1_000_000) });
        const { items, revision } = await kv.range({ prefix: '' });
        assert.equal(revision, KEYS + 1);
        assert.deepEqual(
          items.map(({ key, value, modRevision }) => [key, Buffer.from(value).toString(), modRevision]),
          Array.from({ length: KEYS }, (_, index) => [thing(index), valueOf(index).toString(), index + 2]),
        );
        await kv.close();
        assert.deepEqual((await checkStore({ directory })).problems, []);
        await using later = await openEmbeddedKV({ directory, clock: new VirtualClock(EXPIRES_AT + 1) });
        await later.status();
        await later.compact(await later.currentRevision());
        assert.equal((await later.range({ prefix: '' })).count, KEYS - 1);
      }),
    );
  }

  it('is not upgraded if the page of a large value is damaged, because the upgrade frees it', () =>
    inDirectory(async (directory) => {
      await writeOldStore(directory);
      const path = join(directory, DATA_FILE);
      const root = open<Buffer, Buffer>({ ...fileOptions, path, overlappingSync: false });
      const log = root.openDB<Buffer, Buffer>({ ...binary, name: 'log' });
      await log.put(number(3), oldRecord(thing(1), 3, 0, Buffer.alloc(20_000, 'x')));
      await root.close();
      damageLargeValue(directory);
      const damaged = { code: 'corrupt', message: /data\.mdb is damaged: log: page \d+ is damaged$/ };
      await assert.rejects(openEmbeddedKV({ directory }), damaged);
      await assert.rejects(compactStore({ directory }), damaged);
    }));

  it('is upgraded by a compaction too', () =>
    inDirectory(async (directory) => {
      await writeOldStore(directory);
      await compactStore({ directory });
      const { problems, keys } = await checkStore({ directory });
      assert.deepEqual({ problems, keys }, { problems: [], keys: KEYS });
    }));

  it('can be restored from a backup of format 1', () =>
    inDirectory(async (parent) => {
      const [directory, file] = [join(parent, 'store'), join(parent, 'backup')];
      await writeFile(file, oldBackup());
      await restoreStore({ directory, file });
      const { problems, keys, revision } = await checkStore({ directory });
      assert.deepEqual({ problems, keys, revision }, { problems: [], keys: KEYS, revision: KEYS + 1 });
    }));
});

it('a store of format 2 is read as it is, and continues in the current format', () =>
  inDirectory(async (directory) => {
    await writeOldStore(directory, { upgraded: KEYS, isComplete: true });
    assert.deepEqual((await checkStore({ directory })).problems, []);
    const clock = new VirtualClock(1_000_000);
    const kv = await openEmbeddedKV({ directory, clock });
    const operation = { type: 'put', value: valueOf(7) } as const;
    const author = { name: 'ann', mark: '' };
    await kv.txn({ key: thing(1), expectedRevision: 3, operation, author });
    const { events } = await kv.history({ prefix: thing(1), exact: true, limit: 2 });
    assert.deepEqual(
      events.map(({ time, author }) => [time, author?.name]),
      [
        [1_000_000, 'ann'],
        [undefined, undefined],
      ],
    );
    assert.equal(await kv.revisionAt(999_999), KEYS + 1, 'records of format 2 count as older than all others');
    await kv.close();
    assert.deepEqual((await checkStore({ directory })).problems, []);
    assert.equal(formatOf(directory), '5');
  }));

function formatOf(directory: string): string | undefined {
  const root = open<Buffer, Buffer>({ ...fileOptions, path: join(directory, DATA_FILE), overlappingSync: false });
  const format = root.openDB<Buffer, Buffer>({ ...binary, name: 'meta' }).get(Buffer.from('format'));
  return format?.toString();
}
