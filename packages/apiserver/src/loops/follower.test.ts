import assert from 'node:assert/strict';
import { it } from 'node:test';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { kindSchema } from '@binnacle/api/table';
import { openMemoryKV } from '@binnacle/kv/memory';
import { Cacher } from '../cacher/index.js';
import { BuiltInCodec, VersionSet } from '../codec/index.js';
import { ResourceReader } from '../registry/index.js';
import { ObjectStorage } from '../storage/index.js';
import { Follower } from './follower.js';

it('Follower: reports what exists and what changes, each revision once, also after a lost watch', async () => {
  await using kv = openMemoryKV();
  const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
  const schema = kindSchema(kind);
  assert.ok(schema);
  const codec = new BuiltInCodec(kind, schema);
  const versions = new Map([[codec.apiVersion, codec]]);
  const set = new VersionSet({ storage: codec, versions, selectableFields: () => ({}) });
  const prefix = '/registry/configmaps/';
  const storage = new ObjectStorage({ kv, codec: set, prefix });
  const clock = new VirtualClock();
  const cacher = new Cacher({ storage, clock, random: seededRandom(1) });
  const info = {
    resource: { group: '', resource: 'configmaps' },
    kind: { group: '', kind: 'ConfigMap' },
    namespaced: true,
    prefix,
  };
  const reader = new ResourceReader(info, storage, cacher, {});
  const create = async (name: string) => {
    const { object } = codec.decode({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'n' } });
    await storage.create(`${prefix}n/${name}`, object);
  };
  const changes: string[] = [];
  const opened: { stop(): void }[] = [];
  const watching = {
    watch: async (...parameters: Parameters<ResourceReader['watch']>) => {
      const watch = await reader.watch(...parameters);
      opened.push(watch);
      return watch;
    },
    watchReadable: () => reader.watchReadable(),
  };
  const follower = new Follower({
    reader: watching,
    clock,
    changed: (key, object) => changes.push(`${object === undefined ? '-' : '+'}${key.slice(prefix.length)}`),
    report: (error) => assert.fail(String(error)),
  });
  const until = async (count: number) => {
    while (changes.length < count) {
      await clock.advance(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  try {
    await create('a');
    await create('b');
    await follower.start();
    assert.deepEqual(changes, ['+n/a', '+n/b']);
    await create('c');
    await until(3);
    opened[0]?.stop();
    await storage.update(`${prefix}n/b`, undefined, async () => ({ type: 'delete' }));
    await create('d');
    await until(5);
    assert.deepEqual(changes.slice(2).sort(), ['+n/c', '+n/d', '-n/b']);
  } finally {
    follower.stop();
    cacher.stop();
  }
});
