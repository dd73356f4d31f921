import { VirtualClock } from '@binnacle/apimachinery/clock';
import { openMemoryKV } from '@binnacle/kv/memory';
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withMethods } from '../testing/index.js';
import { Snapshots } from './snapshots.js';

it('knows the oldest snapshot of those that are not compacted', async () => {
  const clock = new VirtualClock();
  await using kv = openMemoryKV({ clock });
  const snapshots = new Snapshots({ kv, clock });
  assert.equal(snapshots.oldest(1), undefined);
  for (const revision of [4, 2, 7]) await snapshots.add(`at-${revision}`, revision);
  // `binnacle store compact` may have compacted the state of a snapshot.
  assert.deepEqual(
    [1, 2, 3, 7, 8].map((compacted) => snapshots.oldest(compacted)),
    [2, 2, 4, 7, undefined],
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
