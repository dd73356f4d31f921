import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import { type EventBatch, type KV, KVError, type TxnRequest, type WatchRequest } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import { TransformError } from '../transformers/index.js';
import { EncryptedStore } from './encrypted-store.js';
import type { ResourceTransformer } from './resource-transformers.js';
import { configMapTransformer, keys, plain } from './rules.testing.js';

const PREFIX = '/registry/configmaps/';
const keyOf = (name: string): string => PREFIX + name;
const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = (value: Uint8Array | undefined): string | undefined => value && Buffer.from(value).toString();

interface Setting {
  transformer: ResourceTransformer;
}

function opened(...providers: Parameters<typeof configMapTransformer>[0]) {
  const kv = openMemoryKV();
  const setting: Setting = { transformer: configMapTransformer(providers) };
  const store = new EncryptedStore({ kv, resource: 'configmaps', transformer: () => setting.transformer });
  return { kv, store, setting, [Symbol.asyncDispose]: () => kv.close() };
}

async function put(kv: KV, name: string, value: string, expectedRevision = 0): Promise<number> {
  const request: TxnRequest = { key: keyOf(name), expectedRevision, operation: { type: 'put', value: bytes(value) } };
  const { succeeded, revision } = await kv.txn(request);
  assert.ok(succeeded);
  return revision;
}

const raw = async (kv: KV, name: string): Promise<string | undefined> =>
  text((await kv.range({ prefix: keyOf(name), exact: true })).items[0]?.value);

/** What a list shows: names, values, and how they are stored. */
const listed = async (kv: KV): Promise<unknown[]> =>
  (await kv.range({ prefix: PREFIX })).items.map(({ key, value, storedAs }) => [
    key.slice(PREFIX.length),
    text(value),
    storedAs,
  ]);

function watched(store: KV, request: Partial<WatchRequest> = {}) {
  const seen: string[] = [];
  const ended: Error[] = [];
  const stop = new AbortController();
  const sink = {
    batch: ({ revision, events }: EventBatch) =>
      events.forEach(({ type, key, value, previous, storedAs, unreadable }) =>
        seen.push(
          [
            type,
            key.slice(PREFIX.length),
            revision,
            text(value),
            text(previous?.value),
            storedAs ?? unreadable?.reason,
          ].join(' '),
        ),
      ),
    progress: () => undefined,
    ended: (error: Error) => ended.push(error),
  };
  store.watch({ prefix: PREFIX, fromRevision: 1, ...request }, sink, stop.signal);
  return { seen, ended, stop: () => stop.abort() };
}

function watchedTags(store: KV) {
  const seen: (number | undefined)[] = [];
  const stop = new AbortController();
  const sink = {
    batch: ({ events }: EventBatch) => events.forEach(({ tag }) => seen.push(tag)),
    progress: () => undefined,
    ended: () => undefined,
  };
  store.watch({ prefix: PREFIX, fromRevision: 1 }, sink, stop.signal);
  return { seen, stop: () => stop.abort() };
}

/** Holds back each read until released. */
function slow(transformer: ResourceTransformer): ResourceTransformer & { release(): void } {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  return {
    ...transformer,
    release: () => release(),
    read: (stored, context) => gate.then(() => transformer.read(stored, context)),
  };
}

describe('EncryptedStore', () => {
  it('keeps encrypted values in the store below', async () => {
    await using at = opened(keys('aesgcm', 'a'), plain);
    await put(at.store, 'one', 'secret');
    assert.match((await raw(at.kv, 'one')) ?? '', /^k8s:enc:aesgcm:v1:a:/);
    assert.deepEqual(await listed(at.store), [['one', 'secret', 'other']]);
  });

  it('marks what the next write should replace', async () => {
    await using at = opened(plain);
    const revision = await put(at.store, 'one', 'text');
    await put(at.store, 'two', 'text');
    assert.deepEqual(await listed(at.store), [
      ['one', 'text', undefined],
      ['two', 'text', undefined],
    ]);
    at.setting.transformer = configMapTransformer([keys('aescbc', 'new'), plain]);
    await put(at.store, 'one', 'text', revision);
    assert.deepEqual(await listed(at.store), [
      ['one', 'text', 'other'],
      ['two', 'text', 'outdated'],
    ]);
    at.setting.transformer = configMapTransformer([keys('secretbox', 'newer'), keys('aescbc', 'new'), plain]);
    assert.deepEqual(await listed(at.store), [
      ['one', 'text', 'outdated'],
      ['two', 'text', 'outdated'],
    ]);
  });

  it('reports values that it cannot decrypt as damaged, in the words of a get or a list', async () => {
    await using at = opened(keys('aesgcm', 'a'));
    const revision = await put(at.store, 'one', 'secret');
    await put(at.kv, 'two', 'plain');
    const reason = 'no matching prefix found';
    const damaged = {
      key: keyOf('two'),
      revision: revision + 1,
      unreadable: { problem: 'untransformable' as const, reason },
    };
    await assert.rejects(
      at.store.range({ prefix: keyOf('two'), exact: true }),
      new KVError('corrupt', reason, { damaged: [damaged], cause: new TransformError(reason) }),
    );
    await assert.rejects(at.store.range({ prefix: PREFIX }), {
      message: `unable to transform key "${keyOf('two')}": ${reason}`,
    });
    const report = await at.store.range({ prefix: PREFIX, damaged: 'report' });
    assert.deepEqual(
      report.items.map(({ key }) => key),
      [keyOf('one')],
    );
    assert.deepEqual(report.damaged, [damaged]);
    const keysOnly = await at.store.range({ prefix: PREFIX, keysOnly: true });
    assert.equal(keysOnly.items.length, 2);
    const lost = at.store.txn({ key: keyOf('two'), expectedRevision: 1, operation: { type: 'delete' } });
    await assert.rejects(lost, { code: 'corrupt', message: reason });
  });

  it('fails a read with a 500 while the key service is away, also one that reports damage', async () => {
    await using at = opened(keys('aesgcm', 'a'));
    await put(at.store, 'one', 'secret');
    at.setting.transformer = {
      ...at.setting.transformer,
      read: () => Promise.reject(new TransformError('failed to decrypt DEK', { isTransient: true })),
      write: () => {
        throw new TransformError('expired', { isTransient: true });
      },
    };
    for (const [request, message] of [
      [{ prefix: keyOf('one'), exact: true }, 'Internal error occurred: failed to decrypt DEK'],
      [
        { prefix: PREFIX, damaged: 'report' },
        `Internal error occurred: unable to transform key "${keyOf('one')}": failed to decrypt DEK`,
      ],
    ] as const) {
      await assert.rejects(
        at.store.range(request),
        (error) => error instanceof StatusError && error.status.code === 500 && error.message === message,
      );
    }
    await assert.rejects(put(at.store, 'two', 'x'), { message: 'Internal error occurred: expired' });
    assert.equal(await raw(at.kv, 'two'), undefined);
  });

  it('returns the decrypted value that a write has lost against', async () => {
    await using at = opened(keys('aesgcm', 'a'));
    const revision = await put(at.store, 'one', 'secret');
    const lost = await at.store.txn({ key: keyOf('one'), expectedRevision: 7, operation: { type: 'delete' } });
    assert.ok(!lost.succeeded);
    assert.equal(text(lost.current?.value), 'secret');
    assert.deepEqual(
      await at.store.txn({ key: keyOf('one'), expectedRevision: revision, operation: { type: 'delete' } }),
      {
        succeeded: true,
        revision: revision + 1,
      },
    );
  });

  it('names the condition of a write that is not met', async () => {
    await using opening = opened(keys('aesgcm', 'a'));
    const conditions = [{ key: '/parent', expectedRevision: 7 }];
    const operation = { type: 'put', value: bytes('x') } as const;
    const unmet = await opening.store.txn({ key: keyOf('a'), expectedRevision: 0, operation, conditions });
    assert.equal(!unmet.succeeded && unmet.unmet, '/parent');
  });

  it('shows own writes in a watch at once, without decrypting them', async () => {
    let reads = 0;
    await using at = opened(keys('aesgcm', 'a'));
    const { transformer } = at.setting;
    at.setting.transformer = { ...transformer, read: (...parameters) => (reads++, transformer.read(...parameters)) };
    const { seen, stop } = watched(at.store, { withoutPrevious: true });
    const first = await put(at.store, 'one', 'secret');
    await put(at.store, 'one', 'other', first);
    assert.deepEqual(seen, [`put one ${first} secret  other`, `put one ${first + 1} other  other`]);
    assert.equal(reads, 0);
    stop();
  });

  it('decrypts the values of a replayed watch, and ends it before a previous one that it cannot decrypt', async () => {
    await using at = opened(keys('aesgcm', 'a'));
    const first = await put(at.store, 'one', 'secret');
    await put(at.store, 'one', 'other', first);
    const unreadable = await put(at.kv, 'two', 'plain');
    await at.kv.txn({ key: keyOf('two'), expectedRevision: unreadable, operation: { type: 'delete' } });
    const { seen, stop } = watched(at.store, { fromRevision: first });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(seen, [
      `put one ${first + 1} other secret other`,
      `put two ${unreadable}   no matching prefix found`,
    ]);
    stop();
    const later = watched(at.store, { fromRevision: unreadable });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(later.seen, []);
    assert.deepEqual(
      later.ended.map(({ message }) => message),
      ['Internal error occurred: no matching prefix found'],
    );
    const without = watched(at.store, { fromRevision: unreadable, withoutPrevious: true });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(without.seen, [`delete two ${unreadable + 1}   `]);
    without.stop();
  });

  it('decrypts the history, and fails where it cannot', async () => {
    await using at = opened(keys('aesgcm', 'a'));
    const first = await put(at.store, 'one', 'secret');
    await put(at.store, 'one', 'other', first);
    const history = async () => {
      const page = await at.store.history?.({ prefix: PREFIX, limit: 10 });
      return page?.events.map(({ revision, value, previous }) => [revision, text(value), text(previous?.value)]);
    };
    assert.deepEqual(await history(), [
      [first + 1, 'other', 'secret'],
      [first, 'secret', undefined],
    ]);
    const unreadable = await put(at.kv, 'two', 'plain');
    await assert.rejects(history(), { message: 'Internal error occurred: no matching prefix found' });
    await at.kv.compact(unreadable);
    await at.kv.txn({ key: keyOf('two'), expectedRevision: unreadable, operation: { type: 'delete' } });
    await assert.rejects(history(), { message: 'Internal error occurred: no matching prefix found' });
  });

  it('passes on an event that it cannot decrypt, and those after it', async () => {
    await using at = opened(keys('aesgcm', 'a'));
    const { seen, ended } = watched(at.store);
    const first = await put(at.store, 'one', 'secret');
    await put(at.kv, 'two', 'plain');
    await put(at.store, 'three', 'late');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(seen, [
      `put one ${first} secret  other`,
      `put two ${first + 1}   no matching prefix found`,
      `put three ${first + 2} late  other`,
    ]);
    assert.deepEqual(ended, []);
  });

  it('keeps the order of a watch while keys are fetched', async () => {
    await using at = opened(keys('aesgcm', 'a'));
    const other = new EncryptedStore({ kv: at.kv, resource: 'configmaps', transformer: () => at.setting.transformer });
    const waiting = slow(at.setting.transformer);
    let isSlow = true;
    const store = new EncryptedStore({
      kv: at.kv,
      resource: 'configmaps',
      transformer: () => (isSlow ? waiting : at.setting.transformer),
    });
    const { seen, stop } = watched(store);
    const first = await put(other, 'one', '1');
    isSlow = false;
    await put(other, 'two', '2');
    assert.deepEqual(seen, []);
    waiting.release();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(seen, [`put one ${first} 1  other`, `put two ${first + 1} 2  other`]);
    stop();
  });

  it('shows the tags of its callers, and stores others with encrypted values', async () => {
    await using at = opened(keys('aesgcm', 'a'), plain);
    const tags = async (kv: KV) => (await kv.range({ prefix: PREFIX })).items.map(({ tag }) => tag);
    const { seen, stop } = watchedTags(at.store);
    for (const [name, tag] of [
      ['one', 7],
      ['two', 0x5ec2e7],
      ['three', 0xffffffff],
      ['four', undefined],
    ] as const) {
      const operation = { type: 'put', value: bytes('x'), ...(tag === undefined ? {} : { tag }) } as const;
      await at.store.txn({ key: keyOf(name), expectedRevision: 0, operation });
    }
    assert.deepEqual(await tags(at.store), [undefined, 7, 0xffffffff, undefined]);
    assert.deepEqual(seen, [7, undefined, 0xffffffff, undefined]);
    assert.ok(!(await tags(at.kv)).some((tag) => tag === 7 || tag === 0x5ec2e7 || tag === 0xffffffff));
    await at.kv.txn({ key: keyOf('five'), expectedRevision: 0, operation: { type: 'put', value: bytes('x'), tag: 7 } });
    assert.equal((await at.store.range({ prefix: keyOf('five') })).items[0]?.tag, 7, 'a plain value');
    stop();
  });

  it('gives values no tag that their provider does not authenticate', async () => {
    await using at = opened(keys('aescbc', 'a'), keys('aesgcm', 'b'));
    const tagOf = async (kv: KV) => (await kv.range({ prefix: PREFIX })).items.map(({ tag }) => tag);
    const operation = { type: 'put', value: bytes('x'), tag: 7 } as const;
    await at.store.txn({ key: keyOf('one'), expectedRevision: 0, operation });
    assert.deepEqual(await tagOf(at.store), [undefined]);
    assert.notDeepEqual(await tagOf(at.kv), [undefined]);
    at.setting.transformer = configMapTransformer([keys('aesgcm', 'b'), keys('aescbc', 'a')]);
    assert.deepEqual(await tagOf(at.store), [undefined]);
    await at.store.txn({ key: keyOf('two'), expectedRevision: 0, operation });
    assert.deepEqual(await tagOf(at.store), [undefined, 7]);
  });

  it('reads values in place only if none is encrypted', async () => {
    await using at = opened();
    const revision = await put(at.store, 'one', 'plain');
    const encrypted = await put(at.kv, 'two', 'k8s:enc:aesgcm:v1:a:x');
    const reader = at.store.openReader?.(encrypted);
    assert.equal(text(reader?.load(revision).value), 'plain');
    assert.throws(() => reader?.load(encrypted), {
      code: 'corrupt',
      message: 'identity transformer tried to read encrypted data',
    });
    reader?.close();
    at.setting.transformer = configMapTransformer([plain, keys('aesgcm', 'a')]);
    assert.equal(at.store.openReader?.(encrypted), undefined);
  });
});
