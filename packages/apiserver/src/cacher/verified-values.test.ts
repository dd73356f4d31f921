import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { kindSchema } from '@binnacle/api/table';
import type { KV } from '@binnacle/kv';
import { openEmbeddedKV } from '@binnacle/kv/embedded';
import { BuiltInCodec, VersionSet } from '../codec/index.js';
import { ObjectStorage } from '../storage/index.js';
import { configMap, withDamagedValue } from '../testing/index.js';
import { CachedState } from './cached-state.js';
import { Cacher } from './cacher.js';
import { ChangeWindow } from './change-window.js';
import { readState } from './read-state.js';

const PREFIX = '/registry/configmaps/';
/** The cache leaves fewer objects to the first list, and records nothing. */
const PREPARED_FROM = 256;
const COUNT = 400;
const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
const schema = kindSchema(kind) ?? assert.fail('no schema');
const keyOf = (name: string): string => `${PREFIX}default/${name}`;
const nameOf = (index: number): string => `object-${index.toString().padStart(3, '0')}`;

/** The kind with a default that earlier releases did not have, for the objects whose names begin with `names`. */
class DefaultingCodec extends BuiltInCodec {
  readonly #names: string;

  constructor(names: string) {
    super(kind, schema);
    this.#names = names;
  }

  override applyDefaults(object: KubernetesObject): void {
    super.applyDefaults(object);
    if (object.metadata.name?.startsWith(this.#names) === true) object['immutable'] ??= true;
  }
}

/** One release of the server: its code, and its rules for the kind. */
interface Release {
  readonly code: string;
  readonly codec: BuiltInCodec;
}

const older: Release = { code: 'older', codec: new BuiltInCodec(kind, schema) };
const newer: Release = { code: 'newer', codec: new BuiltInCodec(kind, schema) };

function storageOf(kv: KV, { code, codec }: Release): ObjectStorage {
  const versions = new Map([['v1', codec]]);
  const codecs = new VersionSet({ storage: codec, versions, selectableFields: () => ({}), code });
  return new ObjectStorage({ kv, codec: codecs, prefix: PREFIX });
}

function cacherOf(storage: ObjectStorage): Cacher {
  return new Cacher({ storage, clock: new VirtualClock(), random: seededRandom(1) });
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A start of a release up to its first list, and until it has recorded what it verified, if it verified anything. */
async function start(kv: KV, release: Release, context: TestContext) {
  const storage = storageOf(kv, release);
  const canonicalize = context.mock.method(storage.codec, 'canonicalize');
  const record = context.mock.method(storage, 'recordVerified');
  const cacher = cacherOf(storage);
  await cacher.ready();
  const objects = Array.from(cacher.range(PREFIX), (object) => object.decode());
  const canonicalized = canonicalize.mock.callCount();
  if (canonicalized >= PREPARED_FROM) {
    while (record.mock.callCount() === 0) await turn();
    await record.mock.calls[0]?.result;
  }
  cacher.stop();
  return { objects, canonicalized };
}

async function withDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'verified-values-'));
  try {
    await run(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A store on disk that the older release has filled. */
const withStore = (run: (kv: KV, directory: string) => Promise<void>): Promise<void> =>
  withDirectory(async (directory) => {
    await using kv = await openEmbeddedKV({ directory: join(directory, 'store') });
    const storage = storageOf(kv, older);
    const indexes = Array.from({ length: COUNT }, (_, index) => index);
    await Promise.all(indexes.map((index) => storage.create(keyOf(nameOf(index)), configMap(nameOf(index)))));
    await run(kv, directory);
  });

/** The store as a kill at this moment would leave it. */
async function killed(directory: string, name: string): Promise<KV> {
  await mkdir(join(directory, name));
  await copyFile(join(directory, 'store', 'data.mdb'), join(directory, name, 'data.mdb'));
  return openEmbeddedKV({ directory: join(directory, name) });
}

const immutable = (objects: readonly KubernetesObject[]): number =>
  objects.filter((object) => object['immutable'] === true).length;

describe('the start after an upgrade', { timeout: 600_000 }, () => {
  it('canonicalizes every object once, and the starts after it none', (context) =>
    withStore(async (kv) => {
      const before = await kv.range({ prefix: '' });
      assert.equal((await start(kv, older, context)).canonicalized, 0);
      const first = await start(kv, newer, context);
      assert.equal(first.canonicalized, COUNT);
      const second = await start(kv, newer, context);
      assert.equal(second.canonicalized, 0);
      assert.deepEqual(second.objects, first.objects);
      assert.deepEqual(await kv.range({ prefix: '' }), before, 'no value, revision or tag has changed');
    }));

  it('lets the older release still trust its own values, and a third release verify them again', (context) =>
    withStore(async (kv) => {
      await start(kv, newer, context);
      assert.equal((await start(kv, older, context)).canonicalized, 0);
      const newest = { ...newer, code: 'newest' };
      assert.equal((await start(kv, newest, context)).canonicalized, COUNT);
      assert.equal((await start(kv, newest, context)).canonicalized, 0);
    }));

  it('trusts no value that another release has written since', (context) =>
    withStore(async (kv) => {
      await start(kv, newer, context);
      const change = { type: 'write', object: configMap(nameOf(7), { data: { a: 'b' } }) } as const;
      await storageOf(kv, older).update(keyOf(nameOf(7)), undefined, () => change);
      await storageOf(kv, older).create(keyOf('another'), configMap('another'));
      await storageOf(kv, newer).create(keyOf('own'), configMap('own'));
      const { objects, canonicalized } = await start(kv, newer, context);
      assert.deepEqual([objects.length, canonicalized], [COUNT + 2, 2]);
    }));

  it('answers objects that have a new default in their new form, at every start', (context) =>
    withStore(async (kv) => {
      const release = { code: 'newer', codec: new DefaultingCodec('object-1') };
      const first = await start(kv, release, context);
      assert.deepEqual([first.canonicalized, immutable(first.objects)], [COUNT, 100]);
      const second = await start(kv, release, context);
      assert.deepEqual([second.canonicalized, immutable(second.objects)], [100, 100]);
      assert.deepEqual(second.objects, first.objects);
    }));

  it('records nothing when too many objects have another form', (context) =>
    withStore(async (kv) => {
      const storage = storageOf(kv, older);
      const indexes = Array.from({ length: 2000 }, (_, index) => `more-${index}`);
      await Promise.all(indexes.map((name) => storage.create(keyOf(name), configMap(name))));
      const release = { code: 'newer', codec: new DefaultingCodec('') };
      for (const round of [1, 2]) {
        const { objects, canonicalized } = await start(kv, release, context);
        assert.deepEqual([canonicalized, immutable(objects)], [COUNT + 2000, COUNT + 2000], `start ${round}`);
      }
      assert.equal(kv.readNote?.(PREFIX), undefined);
    }));

  it('records nothing while an object cannot be read', (context) =>
    withStore(async (kv) => {
      const notes: Partial<KV> = {
        readNote: (name) => kv.readNote?.(name),
        writeNote: async (name, note) => kv.writeNote?.(name, note),
      };
      const damaged = { ...withDamagedValue(kv, keyOf(nameOf(3))), ...notes };
      for (const [store, isRecorded] of [
        [damaged, false],
        [kv, true],
      ] as const) {
        const storage = storageOf(store, newer);
        const state = new CachedState(storage, new ChangeWindow({ ageMs: 1000, size: 10, bytes: 100_000 }));
        const { signal } = new AbortController();
        const read = await readState(storage, signal);
        assert.ok(read !== undefined);
        state.replace(read);
        await state.record();
        assert.equal(kv.readNote?.(PREFIX) !== undefined, isRecorded);
        state.close();
      }
      assert.equal((await start(kv, newer, context)).canonicalized, 0);
    }));

  it('pays again after a kill before the record, and not after a kill behind it', (context) =>
    withStore(async (kv, directory) => {
      const storage = storageOf(kv, newer);
      const record = storage.recordVerified.bind(storage);
      const recorded = new Promise<void>((resolve, reject) => {
        context.mock.method(storage, 'recordVerified', async (...parameters: Parameters<typeof record>) => {
          await using early = await killed(directory, 'before');
          assert.equal((await start(early, newer, context)).canonicalized, COUNT);
          await record(...parameters).then(resolve, reject);
        });
      });
      const cacher = cacherOf(storage);
      await cacher.ready();
      await recorded;
      await using late = await killed(directory, 'behind');
      assert.equal((await start(late, newer, context)).canonicalized, 0);
      cacher.stop();
    }));
});

describe('a verification', () => {
  it('says nothing about values that were replaced before it', (context) =>
    withStore(async (kv) => {
      const old = await kv.currentRevision();
      const change = { type: 'write', object: configMap(nameOf(7), { data: { a: 'b' } }) } as const;
      await storageOf(kv, older).update(keyOf(nameOf(7)), undefined, () => change);
      await start(kv, newer, context);
      const storage = storageOf(kv, newer);
      const untrusted = async (revision: number): Promise<number> => {
        const canonicalize = context.mock.method(storage.codec, 'canonicalize');
        const reader = storage.openReader(revision);
        const { items } = await storage.page(PREFIX, { revision, from: PREFIX, limit: COUNT }, reader);
        for (const object of items) object.json();
        reader?.close();
        canonicalize.mock.restore();
        return canonicalize.mock.callCount();
      };
      assert.equal(await untrusted(await kv.currentRevision()), 0);
      assert.equal(await untrusted(old), COUNT);
    }));
});
