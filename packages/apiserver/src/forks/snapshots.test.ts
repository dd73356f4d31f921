import { VirtualClock } from '@binnacle/apimachinery/clock';
import { openMemoryKV } from '@binnacle/kv/memory';
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withMethods } from '../testing/index.js';
import { Snapshots } from './snapshots.js';

it('knows the oldest snapshot of those that are not compacted', async () => {
  const clock = new VirtualClock();
  await using kv = openMemoryKV({ clock });
  for (const key of ['/a', '/b', '/c', '/d', '/e', '/f']) {
    await kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value: Buffer.from('1') } });
  }
  const snapshots = new Snapshots({ kv, clock });
  assert.equal(snapshots.oldest(1), undefined);
  for (const revision of [4, 2, 7]) await snapshots.add(`at-${revision}`, revision);
  // `binnacle store compact` may have compacted the state of a snapshot.
  assert.deepEqual(
    [1, 2, 3, 7, 8].map((compacted) => snapshots.oldest(compacted)),
    [2, 2, 4, 7, undefined],
  );
});

it('refuses a state of which values are forgotten', async () => {
  const clock = new VirtualClock();
  await using kv = openMemoryKV({ clock });
  let revision = 0;
  for (const value of ['1', '2', '3'].map((text) => Buffer.from(text))) {
    ({ revision } = await kv.txn({ key: '/s/a', expectedRevision: revision, operation: { type: 'put', value } }));
  }
  await kv.forgetValues('/s/', revision);
  const snapshots = new Snapshots({ kv, clock });
  await assert.rejects(snapshots.add('early', revision - 1), { code: 410 });
  await snapshots.add('late', revision);
  assert.deepEqual(
    (await snapshots.list()).map(({ name }) => name),
    ['late'],
  );
});

it('keeps the revision of a snapshot from before it is stored', async () => {
  const clock = new VirtualClock();
  await using kv = openMemoryKV({ clock });
  const value = Buffer.from('1');
  for (let write = 0, revision = 0; write < 3; write += 1) {
    ({ revision } = await kv.txn({ key: '/a', expectedRevision: revision, operation: { type: 'put', value } }));
  }
  let compacting: Promise<void> | undefined;
  const busy = withMethods(kv, {
    readNote: (name) => kv.readNote(name),
    writeNote: (name, note) => {
      const written = kv.writeNote(name, note);
      // The retention of history cannot read the note yet.
      compacting ??= kv.compact(snapshots.oldest(1) ?? 4);
      return written;
    },
  });
  const snapshots = new Snapshots({ kv: busy, clock });
  const { revision } = await snapshots.add('early', 2);
  await compacting;
  assert.deepEqual(
    (await snapshots.list()).map(({ name }) => name),
    ['early'],
  );
  assert.equal((await kv.range({ prefix: '/', revision })).count, 1);
  assert.equal(snapshots.oldest(3), undefined);
});
