import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { type Database, open } from 'lmdb';
import { type KV, KVError, type KVErrorCode } from '../../interface/index.js';
import { binary, fileOptions } from '../environment.js';
import { openEmbeddedKV } from '../index.js';
import { encodeExpiryKey, encodePointer, writeNumber } from '../format/layout.js';
import { encodeRecord } from '../format/record.js';
import { backupStore, checkStore, compactStore, repairStore, restoreStore } from './index.js';
import { contentOf, fill, inDirectory, object, write } from './store.testing.js';

type Table = Database<Buffer, Buffer>;

const keyOf = (revision: number): Buffer => {
  const key = Buffer.alloc(8);
  writeNumber(key, revision, 0);
  return key;
};

/** Modifies the tables of a closed store directly. */
async function tamper(
  directory: string,
  change: (tables: Record<'index' | 'log' | 'expiring' | 'meta', Table>) => void,
) {
  const root = open<Buffer, Buffer>({ ...fileOptions, path: join(directory, 'data.mdb'), overlappingSync: false });
  const table = (name: string): Table => root.openDB<Buffer, Buffer>({ ...binary, name });
  const tables = { index: table('index'), log: table('log'), expiring: table('expiring'), meta: table('meta') };
  await root.batch(() => change(tables));
  await root.close();
}

async function refuses(promise: Promise<unknown>, code: KVErrorCode, pattern: RegExp): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof KVError, `not a KVError: ${String(error)}`);
    assert.equal(error.code, code);
    assert.match(error.message, pattern);
    assert.equal(error.message.includes('\n'), false);
    return true;
  });
}

describe('check', () => {
  it('finds nothing in an intact store, and counts its content', () =>
    inDirectory(async (directory) => {
      const { revision, count, items } = await fill(directory, 700);
      const report = await checkStore({ directory });
      assert.deepEqual(report.problems, []);
      assert.equal(report.revision, revision);
      assert.equal(report.compactedRevision, 703);
      assert.equal(report.keys, count);
      assert.equal(
        report.valueBytes,
        items.reduce((sum, { value }) => sum + value.length, 0),
      );
      assert.ok(report.records > report.keys);
      assert.equal(report.fileBytes, (await stat(join(directory, 'data.mdb'))).size);
    }));

  const record = (revision: number, key: string, value: Uint8Array) =>
    encodeRecord(revision, { type: 'put', key, createRevision: 5, previousRevision: 0, expiresAt: 0, tag: 0, value });
  const noteName = Buffer.from('note:/registry/things/');
  const thing30 = Buffer.from('/registry/things/30');
  const faults: readonly [RegExp, Parameters<typeof tamper>[1]][] = [
    [/revision 65 is missing from the log/, ({ log }) => void log.remove(keyOf(65))],
    [/key "\/registry\/things\/30": its value, revision 32, is missing/, ({ log }) => void log.remove(keyOf(32))],
    [/revision 32 belongs to no key/, ({ index }) => void index.remove(thing30)],
    [
      /revision 5 is not an object/,
      ({ log }) => void log.put(keyOf(5), record(5, '/registry/things/3', Buffer.from('[]'))),
    ],
    [
      /revision 40 is of "\/registry\/other"/,
      ({ log }) => void log.put(keyOf(40), record(40, '/registry/other', object(''))),
    ],
    [/the record of revision 40 is damaged/, ({ log }) => void log.put(keyOf(40), Buffer.from('short'))],
    [
      /its value, revision 40, is not the newest|differ in when it was created/,
      ({ index }) => void index.put(thing30, encodePointer(thing30, { createRevision: 40, modRevision: 40 })),
    ],
    [/1 values that expire are missing/, ({ expiring }) => void expiring.remove(encodeExpiryKey(4_600_000, 62))],
    [/the note "note:\/registry\/things\/" is damaged/, ({ meta }) => void meta.put(noteName, Buffer.from('short'))],
    [/meta has an unknown "other"/, ({ meta }) => void meta.put(Buffer.from('other'), Buffer.from(''))],
    [/belongs to no value/, ({ expiring }) => void expiring.put(encodeExpiryKey(7, 40), Buffer.from('/registry/x'))],
  ];
  for (const [pattern, change] of faults) {
    it(`finds: ${pattern.source}`, () =>
      inDirectory(async (directory) => {
        await fill(directory, 60);
        assert.equal((await checkStore({ directory })).problemCount, 0);
        await tamper(directory, change);
        const { problems, problemCount } = await checkStore({ directory });
        assert.ok(problemCount > 0);
        assert.match(problems.join('\n'), pattern);
      }));
  }

  it('fails if there is no store', () =>
    inDirectory(async (directory) => {
      await refuses(checkStore({ directory }), 'unavailable', /^there is no store in /);
      await writeFile(join(directory, 'data.mdb'), Buffer.alloc(100_000, 1));
      await refuses(checkStore({ directory }), 'corrupt', /is damaged: its first pages are damaged/);
    }));
});

describe('notes', () => {
  const NAME = '/registry/things/';
  const noteIn = async (directory: string): Promise<string | undefined> => {
    await using kv = await openEmbeddedKV({ directory, clock: new VirtualClock(1_000_000) });
    const note = kv.readNote?.(NAME);
    return note && Buffer.from(note).toString();
  };

  it('stay with the store, and are not in its backups and repaired files, whose history is another one', () =>
    inDirectory(async (parent) => {
      const [directory, copy, file] = [join(parent, 'store'), join(parent, 'copy'), join(parent, 'file')];
      await fill(directory, 60);
      await using kv = await openEmbeddedKV({ directory, clock: new VirtualClock(1_000_000) });
      await kv.writeNote?.(NAME, Buffer.from('a fact'));
      await kv.close();
      assert.deepEqual((await checkStore({ directory })).problems, []);
      await compactStore({ directory });
      assert.equal(await noteIn(directory), 'a fact');
      await backupStore({ directory, file });
      await restoreStore({ directory: copy, file });
      assert.equal(await noteIn(copy), undefined);
      const before = await contentOf(directory);
      await repairStore({ directory });
      assert.deepEqual(await contentOf(directory), before);
      assert.equal(await noteIn(directory), undefined);
    }));

  it('are absent when they are damaged, or found under another name', () =>
    inDirectory(async (directory) => {
      await fill(directory, 60);
      await using kv = await openEmbeddedKV({ directory, clock: new VirtualClock(1_000_000) });
      await kv.writeNote?.('/registry/others/', Buffer.from('a fact'));
      await kv.close();
      const own = Buffer.from(`note:${NAME}`);
      await tamper(directory, ({ meta }) => {
        void meta.put(own, meta.get(Buffer.from('note:/registry/others/')) ?? Buffer.alloc(0));
      });
      assert.equal(await noteIn(directory), undefined);
      for (const damaged of [Buffer.alloc(0), Buffer.from('a fact that no one wrote')]) {
        await tamper(directory, ({ meta }) => void meta.put(own, damaged));
        assert.equal(await noteIn(directory), undefined);
      }
    }));
});

describe('backup and restore', () => {
  it('restores keys, values, revisions and expiry, without history', () =>
    inDirectory(async (parent) => {
      const [directory, copy, file] = [join(parent, 'store'), join(parent, 'deep', 'copy'), join(parent, 'file')];
      const before = await fill(directory, 700);
      const steps: number[] = [];
      const summary = await backupStore({ directory, file, progress: (_, done) => steps.push(done) });
      assert.equal(summary.revision, before.revision);
      assert.equal(summary.keys, before.count);
      assert.deepEqual(steps.at(-1), before.count);
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      assert.deepEqual(await restoreStore({ directory: copy, file }), summary);
      assert.deepEqual(await contentOf(copy), before);
      assert.deepEqual((await checkStore({ directory: copy })).problems, []);
      assert.deepEqual((await readdir(parent)).sort(), ['deep', 'file', 'store']);
      assert.deepEqual(await readdir(join(parent, 'deep')), ['copy']);

      const clock = new VirtualClock(1_000_000);
      await using kv = await openEmbeddedKV({ directory: copy, clock });
      await assert.rejects(kv.range({ prefix: '', revision: before.revision - 1 }), { code: 'compacted' });
      await write(kv, '/registry/things/new', object('new'));
      assert.equal(await kv.currentRevision(), before.revision + 1);
      clock.skip(3601 * 1000);
      await kv.status();
      await kv.compact(await kv.currentRevision());
      assert.equal((await kv.range({ prefix: '/registry/events/' })).count, 0);
    }));

  it('a store can continue far after its backup, with the revisions between compacted', () =>
    inDirectory(async (parent) => {
      const [directory, copy, file] = [join(parent, 'store'), join(parent, 'copy'), join(parent, 'file')];
      const before = await fill(directory, 60);
      await backupStore({ directory, file });
      await restoreStore({ directory: copy, file, bumpRevision: 1_000_000_000 });
      assert.deepEqual((await checkStore({ directory: copy })).problems, []);
      assert.deepEqual(await contentOf(copy), { ...before, revision: before.revision + 1_000_000_000 });
      await using kv = await openEmbeddedKV({ directory: copy, clock: new VirtualClock(1_000_000) });
      await assert.rejects(kv.range({ prefix: '', revision: before.revision + 1 }), { code: 'compacted' });
      await write(kv, '/registry/things/2', object('new'));
      assert.equal(await kv.currentRevision(), before.revision + 1_000_000_001);
      await kv.close();
      assert.deepEqual((await checkStore({ directory: copy })).problems, []);
      await refuses(restoreStore({ directory: copy, file }), 'unavailable', /not empty/);
      const invalid = restoreStore({ directory: join(parent, 'other'), file, bumpRevision: -1 });
      await assert.rejects(invalid, RangeError);
    }));

  it('an empty store can be backed up', () =>
    inDirectory(async (parent) => {
      const [directory, copy, file] = [join(parent, 'store'), join(parent, 'copy'), join(parent, 'file')];
      await (await openEmbeddedKV({ directory })).close();
      assert.deepEqual(await backupStore({ directory, file }), { revision: 1, keys: 0, bytes: 0 });
      await mkdir(copy);
      await restoreStore({ directory: copy, file });
      assert.deepEqual((await checkStore({ directory: copy })).problems, []);
    }));

  it('rejects an existing target and a corrupt file, and leaves nothing', () =>
    inDirectory(async (parent) => {
      const [directory, copy, file] = [join(parent, 'store'), join(parent, 'copy'), join(parent, 'file')];
      await fill(directory, 700);
      await backupStore({ directory, file });
      await refuses(restoreStore({ directory, file }), 'unavailable', /store is not empty; restore into an empty/);
      const good = await readFile(file);
      const bad = (change: (bytes: Buffer) => Buffer): Buffer => change(Buffer.from(good));
      const flipped = (at: number) => bad((bytes) => bytes.fill((bytes[at] ?? 0) ^ 1, at, at + 1));
      const newer = bad((bytes) => Buffer.from(bytes.toString('latin1').replace('"format":2', '"format":3'), 'latin1'));
      const files: readonly [Buffer, RegExp][] = [
        [good.subarray(0, 100), /is not a backup/],
        [Buffer.from('hello'), /is not a backup/],
        [good.subarray(0, -1), /is damaged: it has \d+ bytes, not \d+/],
        [Buffer.concat([good, Buffer.of(0)]), /is damaged/],
        [newer, /has format 3, this version reads formats 1 to 2/],
        [
          bad((bytes) => Buffer.from(bytes.toString('latin1').replace(/"revision":\d/, '"revision":9'), 'latin1')),
          /damaged/,
        ],
        ...[256, 260, 270, 300, 50_000, good.length - 1].map((at): [Buffer, RegExp] => [flipped(at), /is damaged/]),
      ];
      for (const [content, pattern] of files) {
        await writeFile(file, content);
        await refuses(restoreStore({ directory: copy, file }), 'corrupt', pattern);
        assert.deepEqual((await readdir(parent)).sort(), ['file', 'store']);
      }
    }));

  it('leaves nothing when aborted', () =>
    inDirectory(async (parent) => {
      const [directory, copy, file] = [join(parent, 'store'), join(parent, 'copy'), join(parent, 'file')];
      await fill(directory, 2000);
      const given = () => {
        const abort = new AbortController();
        const progress = (_: string, done: number) => done === 600 && abort.abort(new Error('given up'));
        return { signal: abort.signal, progress: (step: string, done: number) => void progress(step, done) };
      };
      await assert.rejects(backupStore({ directory, file, ...given() }), /^Error: given up$/);
      assert.deepEqual(await readdir(parent), ['store']);
      await backupStore({ directory, file });
      await assert.rejects(restoreStore({ directory: copy, file, ...given() }), /^Error: given up$/);
      assert.deepEqual((await readdir(parent)).sort(), ['file', 'store']);
    }));
});

describe('compact', () => {
  it('keeps the history since a time', () =>
    inDirectory(async (directory) => {
      const clock = new VirtualClock(1_000_000);
      const kv = await openEmbeddedKV({ directory, clock });
      for (const name of ['one', 'two', 'three']) {
        await write(kv, '/registry/things/a', object(name));
        clock.skip(1000);
      }
      await kv.close();
      const compacted = async (keepSince: number) => (await compactStore({ directory, keepSince })).revision;
      assert.equal(await compacted(0), 1, 'everything is younger');
      assert.equal(await compacted(1_001_500), 3);
      assert.equal(await compacted(1_000_500), 3, 'what is older is gone already');
      const { compactedRevision, records, problems } = await checkStore({ directory });
      assert.deepEqual([compactedRevision, records, problems], [3, 2, []]);
      await using reopened = await openEmbeddedKV({ directory, clock });
      assert.equal((await reopened.history({ prefix: '', limit: 10 })).events.length, 1);
    }));

  it('condenses the history that it keeps, which reads as before', () =>
    inDirectory(async (directory) => {
      await using kv = await openEmbeddedKV({ directory });
      for (let round = 0; round < 40; round += 1) {
        await Promise.all(
          Array.from({ length: 20 }, (_, key) => write(kv, `/registry/${key}`, object(`${round}`, 9000))),
        );
      }
      const { items } = await kv.range({ prefix: '/registry/3', exact: true });
      const expectedRevision = items[0]?.modRevision ?? 0;
      await kv.txn({ key: '/registry/3', expectedRevision, operation: { type: 'delete' } });
      const request = { prefix: '', limit: 1000 };
      const { events } = await kv.history(request);
      const at = (store: KV, revision: number) => store.range({ prefix: '', revision }).then(({ items }) => items);
      const revisions = [100, 300, 500];
      const states = await Promise.all(revisions.map((revision) => at(kv, revision)));
      await kv.close();
      const report = await compactStore({ directory, keepSince: 0 });
      assert.ok(report.bytesAfter * 8 < report.bytesBefore, `${report.bytesBefore} bytes became ${report.bytesAfter}`);
      assert.deepEqual((await checkStore({ directory })).problems, []);
      await using reopened = await openEmbeddedKV({ directory });
      assert.deepEqual((await reopened.history(request)).events, events);
      assert.deepEqual(await Promise.all(revisions.map((revision) => at(reopened, revision))), states);
      await reopened.compact(400);
      assert.deepEqual((await checkStore({ directory })).problems, []);
    }));

  it('drops history and returns the space', () =>
    inDirectory(async (directory) => {
      await using kv = await openEmbeddedKV({ directory });
      for (let round = 0; round < 20; round += 1) {
        await Promise.all(Array.from({ length: 50 }, (_, key) => write(kv, `/registry/${key}`, object('', 4000))));
      }
      const before = await kv.range({ prefix: '' });
      await refuses(compactStore({ directory }), 'locked', /in use by process/);
      await kv.close();
      const report = await compactStore({ directory });
      assert.equal(report.revision, before.revision);
      assert.ok(report.bytesAfter * 5 < report.bytesBefore, `${report.bytesBefore} bytes became ${report.bytesAfter}`);
      assert.deepEqual(await contentOf(directory), before);
      const { problems, compactedRevision } = await checkStore({ directory });
      assert.deepEqual({ problems, compactedRevision }, { problems: [], compactedRevision: before.revision });
      assert.deepEqual((await readdir(directory)).sort(), ['commits', 'data.mdb', 'data.mdb-lock', 'reserve']);
    }));

  it('fails if there is no store, and creates none', () =>
    inDirectory(async (parent) => {
      await refuses(compactStore({ directory: join(parent, 'absent') }), 'unavailable', /^there is no store in /);
      assert.deepEqual(await readdir(parent), []);
    }));
});
