import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { systemClock, systemRandom } from '@binnacle/apimachinery/clock';
import { KVError } from '../../interface/index.js';
import { etcdBinaries, EtcdProcess, runSnapshotTool, snapshotTool, withoutEtcd } from '../../testing/index.js';
import { openEtcdKV } from '../open.js';
import { type SnapshotEntry, writeEtcdSnapshot } from './write-etcd-snapshot.js';

const COUNT = 5000;
const entries: readonly SnapshotEntry[] = Array.from({ length: COUNT }, (_, index) => ({
  key: `/registry/things/${String(index).padStart(4, '0')}`,
  value: Buffer.from(`${index} `.repeat(index % 500 === 1 ? 20_000 : index % 10)),
  revision: 10 + index * 2,
}));
/** Above the revisions of the keys: the source has also written what the snapshot leaves out. */
const REVISION = 20_000;

for (const { path, version } of etcdBinaries()) {
  const tool = path === undefined ? undefined : snapshotTool(path);
  const skip =
    withoutEtcd() || (tool === undefined && process.env['CI'] === undefined && `no snapshot tool of ${version}`);
  it(`etcd ${version} restores what is written, and goes on from its revision`, { skip }, async () => {
    assert.ok(tool !== undefined);
    const folder = mkdtempSync(join(tmpdir(), 'etcd-snapshot-'));
    try {
      const snapshot = join(folder, 'snapshot.db');
      {
        await using file = await open(snapshot, 'w+');
        await writeEtcdSnapshot(file, entries, REVISION);
      }
      const status: unknown = JSON.parse(runSnapshotTool(tool, ['status', snapshot, '--write-out=json']));
      assert.ok(typeof status === 'object' && status !== null && 'totalKey' in status);
      assert.ok(Number(status.totalKey) >= COUNT);

      await using etcd = await EtcdProcess.start({ binary: path, snapshot });
      await using kv = await openEtcdKV({ endpoints: [etcd.endpoint], clock: systemClock, random: systemRandom });
      const { items, revision } = await kv.range({ prefix: '/registry/' });
      assert.equal(revision, REVISION);
      assert.deepEqual(
        items.map(({ key, value, modRevision }) => ({ key, value: Buffer.from(value), revision: modRevision })),
        entries,
      );
      // A reader of the source that continues here must not miss a deletion.
      await assert.rejects(
        kv.range({ prefix: '/registry/', revision: REVISION - 1 }),
        (error) => error instanceof KVError && error.code === 'compacted',
      );
      const [first] = entries;
      assert.ok(first !== undefined);
      const write = { key: first.key, expectedRevision: first.revision, operation: { type: 'delete' } as const };
      assert.deepEqual((await kv.txn(write)).revision, REVISION + 1);
      await etcd.end();
      await etcd.resume();
      assert.equal((await kv.range({ prefix: '/registry/' })).items.length, COUNT - 1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
