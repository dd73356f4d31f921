import { VirtualClock } from '@binnacle/apimachinery/clock';
import { openMemoryKV } from '@binnacle/kv/memory';
import assert from 'node:assert/strict';
import { it } from 'node:test';
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
