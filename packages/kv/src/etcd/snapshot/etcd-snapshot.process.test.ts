import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemClock, systemRandom } from '@binnacle/apimachinery/clock';
import { etcdBinaries, EtcdProcess, withoutEtcd } from '../../testing/index.js';
import { openEtcdKV } from '../open.js';
import { readEtcdSnapshot } from './etcd-snapshot.js';

for (const { path, version } of etcdBinaries()) {
  it(`reads what etcd ${version} has stored`, { skip: withoutEtcd() }, async () => {
    await using etcd = await EtcdProcess.start({ binary: path });
    const wanted = new Map<string, string>();
    {
      await using kv = await openEtcdKV({ endpoints: [etcd.endpoint], clock: systemClock, random: systemRandom });
      const write = async (key: string, text: string | undefined, expectedRevision: number) => {
        const operation =
          text === undefined ? ({ type: 'delete' } as const) : ({ type: 'put', value: Buffer.from(text) } as const);
        const result = await kv.txn({ key, expectedRevision, operation });
        assert.ok(result.succeeded, key);
        return result.revision;
      };
      for (let index = 0; index < 200; index += 1) {
        const key = `/registry/things/${index}`;
        const created = await write(key, 'first', 0);
        if (index % 3 === 0) await write(key, undefined, created);
        else {
          const text = `${index}`.repeat(index % 7 === 1 ? 4000 : 10);
          await write(key, text, created);
          wanted.set(key, text);
        }
      }
    }
    await etcd.end();
    const found = new Map<string, string>();
    for await (const { key, value } of readEtcdSnapshot(etcd.storeFile, '/registry/')) {
      assert.ok(!found.has(key), key);
      found.set(key, Buffer.from(value).toString());
    }
    assert.deepEqual(Object.fromEntries(found), Object.fromEntries(wanted));
  });
}
