import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { tooManyRequests } from '@binnacle/apimachinery/status';
import { kindSchema } from '@binnacle/api/table';
import { openMemoryKV } from '@binnacle/kv/memory';
import { Cacher, type CacherWatch, EventSequence } from '../cacher/index.js';
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
    await create('e');
    await follower.caughtUp();
    assert.deepEqual(changes.slice(5), ['+n/e']);
  } finally {
    follower.stop();
    cacher.stop();
  }
});

describe('Follower.start', () => {
  const building = () => tooManyRequests('storage is (re)initializing', 1);

  /** Starts over a reader whose watch fails with the errors, one after the other, and then opens without objects. */
  async function startAfter(errors: readonly Error[]): Promise<number> {
    let attempts = 0;
    const clock = new VirtualClock();
    const ended = new AbortController();
    const watcher = {
      take: () => new EventSequence([], []),
      wait: () => once(ended.signal, 'abort'),
      ended: undefined,
    };
    const watch = async () => {
      const error = errors[attempts++];
      if (error !== undefined) throw error;
      // The follower uses no other member of a watch.
      return { watcher, stop: () => ended.abort() } as unknown as CacherWatch;
    };
    const follower = new Follower({
      reader: { watch, watchReadable: () => assert.fail('nothing is damaged') },
      clock,
      changed: () => assert.fail('there are no objects'),
      report: (error) => assert.fail(String(error)),
    });
    const started = follower.start();
    // A rejection is expected only below.
    started.catch(() => undefined);
    for (let turn = 0; turn < 25; turn++) {
      await clock.advance(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    follower.stop();
    await started;
    return attempts;
  }

  it('waits for a cache that begins again', async () => {
    assert.equal(await startAfter([building(), building()]), 3);
  });

  it('gives up after twenty attempts', async () => {
    await assert.rejects(startAfter(Array.from({ length: 20 }, building)), { message: 'storage is (re)initializing' });
  });

  it('rejects at once with any other error', async () => {
    await assert.rejects(startAfter([new Error('unknown')]), { message: 'unknown' });
  });
});
