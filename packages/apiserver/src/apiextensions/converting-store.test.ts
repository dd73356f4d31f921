import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { unclassified } from '@binnacle/apimachinery/status';
import { compileSchema } from '@binnacle/apimachinery/structural';
import type { EventBatch, KV } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import { CustomCodec, OUTDATED_VALUE } from '../codec/custom/index.js';
import { ConvertingStore } from './converting-store.js';

const string = { type: 'string' };
/** Version v1 has `spec.color`, and v2 has `spec.colour` with a default beside it. */
const codecOf = (version: string, properties: JsonObject): CustomCodec =>
  new CustomCodec({
    groupVersionKind: { group: 'example.com', version, kind: 'Foo' },
    schema: compileSchema({ type: 'object', properties: { spec: { type: 'object', properties } } }),
    definition: `com.example.${version}.Foo`,
    preserveUnknownFields: false,
  });
const v1 = codecOf('v1', { color: string });
const v2 = codecOf('v2', { colour: string, size: { ...string, default: 'M' } });
const versions = new Map([v1, v2].map((codec) => [codec.apiVersion, codec]));

const foo = (apiVersion: string, spec: JsonObject, name = 'a'): JsonObject => ({
  apiVersion,
  kind: 'Foo',
  metadata: { name },
  spec,
});
const bytes = (object: JsonObject): Buffer => Buffer.from(JSON.stringify(object));

/** The store in memory with these values, seen in v2 or v1. A webhook renames the field, and fails for `bad`. */
async function storeOf(values: readonly JsonObject[], { codec = v2, stored = v1 } = {}) {
  const kv = openMemoryKV();
  for (const [index, value] of values.entries()) {
    const operation = { type: 'put', value: bytes(value) } as const;
    await kv.txn({ key: `/foos/${String(index)}`, expectedRevision: 0, operation });
  }
  const requests: string[] = [];
  const convert = async (objects: readonly Readonly<KubernetesObject>[], to: string): Promise<JsonObject[]> => {
    requests.push(`${objects.map(({ metadata }) => metadata.name).join(' ')} to ${to}`);
    return objects.map((object) => {
      const { color, colour } = object['spec'] as JsonObject;
      const value = color ?? colour ?? null;
      if (value === 'bad') throw unclassified('the webhook failed');
      const spec: JsonObject = to === v1.apiVersion ? { color: value } : { colour: value, unknown: 1 };
      return { ...foo(to, spec), metadata: { name: object.metadata.name ?? '' } };
    });
  };
  const store = new ConvertingStore({
    kv,
    codec,
    stored,
    mediaType: 'application/json',
    versions,
    converter: { convert },
  });
  return { kv, store, requests };
}

const read = async (kv: KV) =>
  (await kv.range({ prefix: '/foos/' })).items.map(({ value }) => Buffer.from(value).toString());
const canonical = (codec: CustomCodec, spec: JsonObject, name = 'a'): string =>
  Buffer.from(codec.encode(codec.decode(foo(codec.apiVersion, spec, name)).object)).toString();
const outdated = (text: string): string => OUTDATED_VALUE.toString() + text;
const storedForm = (codec: CustomCodec, spec: JsonObject, name = 'a'): JsonObject =>
  JSON.parse(canonical(codec, spec, name)) as JsonObject;

describe('a read through a conversion webhook', () => {
  it('converts all values of another version in one request, and prunes them', async () => {
    const values = [storedForm(v1, { color: 'red' }, 'a'), storedForm(v1, { color: 'blue' }, 'b')];
    const { store, requests } = await storeOf(values);
    assert.deepEqual(await read(store), [
      canonical(v2, { colour: 'red' }, 'a'),
      canonical(v2, { colour: 'blue' }, 'b'),
    ]);
    assert.deepEqual(requests, ['a b to example.com/v2']);
  });

  it('asks for nothing when all values have the version', async () => {
    const { store, requests } = await storeOf([storedForm(v1, { color: 'red' })], { codec: v1 });
    assert.deepEqual(await read(store), [canonical(v1, { color: 'red' })]);
    assert.deepEqual(requests, []);
  });

  it('marks values that a write would store in another form', async () => {
    const inOldOrder = { spec: { color: 'red' }, ...foo('example.com/v1', {}), kind: 'Foo' };
    const values = [{ ...inOldOrder, spec: { color: 'red' } }, storedForm(v2, { colour: 'blue', size: 'L' })];
    const seenInV1 = await storeOf(values, { codec: v1 });
    assert.deepEqual(await read(seenInV1.store), [
      outdated(canonical(v1, { color: 'red' })),
      outdated(canonical(v1, { color: 'blue' })),
    ]);
    const seenInV2 = await storeOf(values);
    assert.deepEqual(await read(seenInV2.store), [
      outdated(canonical(v2, { colour: 'red' })),
      outdated(canonical(v2, { colour: 'blue', size: 'L' })),
    ]);
  });

  it('sets the defaults of the version in which a value is stored', async () => {
    const { store } = await storeOf([storedForm(v2, { colour: 'red' })], { stored: v2 });
    assert.deepEqual(await read(store), [outdated(canonical(v2, { colour: 'red', size: 'M' }))]);
  });

  it('fails as a whole with the reason of the webhook, or for a version that does not exist', async () => {
    const { store } = await storeOf([storedForm(v1, { color: 'red' }), storedForm(v1, { color: 'bad' })]);
    await assert.rejects(read(store), { message: 'the webhook failed' });
    const unknown = await storeOf([foo('example.com/v3', {})]);
    const message = 'request to convert CR from an invalid group/version: example.com/v3';
    await assert.rejects(read(unknown.store), { message });
  });

  it('fails when the webhook returns an object that cannot be decoded', async () => {
    const { kv } = await storeOf([storedForm(v1, { color: 'red' })]);
    const converter = { convert: async () => [{ ...foo('example.com/v2', {}), metadata: 'none' }] };
    const store = new ConvertingStore({
      kv,
      codec: v2,
      stored: v1,
      mediaType: 'application/json',
      versions,
      converter,
    });
    await assert.rejects(read(store), { name: 'StatusError', code: 500 });
  });
});

describe('a write through a conversion webhook', () => {
  const put = (codec: CustomCodec, spec: JsonObject) =>
    ({ type: 'put', value: Buffer.from(canonical(codec, spec)) }) as const;

  it('stores the storage version', async () => {
    const { kv, store, requests } = await storeOf([]);
    const result = await store.txn({ key: '/foos/a', expectedRevision: 0, operation: put(v2, { colour: 'red' }) });
    assert.deepEqual(result, { succeeded: true, revision: await kv.currentRevision() });
    assert.deepEqual(await read(kv), [canonical(v1, { color: 'red' })]);
    assert.deepEqual(requests, ['a to example.com/v1']);
  });

  it('of the storage version needs no request', async () => {
    const { kv, store, requests } = await storeOf([], { codec: v1 });
    await store.txn({ key: '/foos/a', expectedRevision: 0, operation: put(v1, { color: 'red' }) });
    assert.deepEqual([await read(kv), requests], [[canonical(v1, { color: 'red' })], []]);
  });

  it('that the webhook refuses stores nothing', async () => {
    const { kv, store } = await storeOf([]);
    const write = store.txn({ key: '/foos/a', expectedRevision: 0, operation: put(v2, { colour: 'bad' }) });
    await assert.rejects(write, { message: 'the webhook failed' });
    assert.deepEqual(await read(kv), []);
  });

  it('that loses a race gets the current value in its own version', async () => {
    const { kv, store } = await storeOf([storedForm(v1, { color: 'red' })]);
    const lost = await store.txn({ key: '/foos/0', expectedRevision: 9, operation: { type: 'delete' } });
    assert.ok(!lost.succeeded);
    assert.equal(Buffer.from(lost.current?.value ?? '').toString(), canonical(v2, { colour: 'red' }));
    const gone = await store.txn({ key: '/foos/9', expectedRevision: 9, operation: { type: 'delete' } });
    assert.deepEqual(gone, { succeeded: false, revision: await kv.currentRevision() });
  });

  it('names the condition that is not met', async () => {
    const { store } = await storeOf([storedForm(v1, { color: 'red' })]);
    const conditions = [{ key: '/parent', expectedRevision: 7 }];
    const operation = put(v2, { colour: 'red' });
    const unmet = await store.txn({ key: '/foos/new', expectedRevision: 0, operation, conditions });
    assert.equal(!unmet.succeeded && unmet.unmet, '/parent');
  });
});

describe('the rest of a store', () => {
  it('is that of the store below', async () => {
    const { kv, store } = await storeOf([storedForm(v1, { color: 'red' })]);
    assert.equal(await store.currentRevision(), await kv.currentRevision());
    assert.deepEqual(await store.status(), await kv.status());
    await store.checkHealth();
    await store.compact(1);
    assert.equal((await kv.status()).compactedRevision, 1);
    await store.close();
    // Its owner closes it.
    await kv.currentRevision();
  });

  it('watches in its version', async () => {
    const { kv, store } = await storeOf([]);
    const batches: EventBatch[] = [];
    const sink = {
      batch: (batch: EventBatch) => batches.push(batch),
      progress: () => undefined,
      ended: (error: Error) => assert.fail(error),
    };
    const stop = new AbortController();
    store.watch({ prefix: '/foos/', fromRevision: await kv.currentRevision() }, sink, stop.signal);
    const value = bytes(storedForm(v1, { color: 'red' }));
    await kv.txn({ key: '/foos/a', expectedRevision: 0, operation: { type: 'put', value } });
    for (let turns = 0; turns < 100 && batches.length === 0; turns++) await settle();
    const [event] = batches[0]?.events ?? [];
    assert.equal(Buffer.from(event?.value ?? '').toString(), canonical(v2, { colour: 'red' }));
    stop.abort();
  });
});

it('a value that cannot be decoded is damaged, for itself alone', async () => {
  const { kv, store } = await storeOf([
    storedForm(v1, { color: 'red' }),
    foo('example.com/v9', {}),
    foo('example.com/v2', {}),
  ]);
  const { items } = await kv.range({ prefix: '/foos/2', exact: true });
  const garbage = { type: 'put', value: Buffer.from('garbage') } as const;
  const { revision } = await kv.txn({
    key: '/foos/2',
    expectedRevision: items[0]?.modRevision ?? 0,
    operation: garbage,
  });
  const report = await store.range({ prefix: '/foos/', damaged: 'report' });
  assert.deepEqual(
    report.items.map(({ key }) => key),
    ['/foos/0'],
  );
  assert.deepEqual(
    report.damaged?.map(({ key, unreadable }) => [key, unreadable?.problem]),
    [
      ['/foos/1', 'undecodable'],
      ['/foos/2', 'undecodable'],
    ],
  );
  assert.equal(report.damaged?.[1]?.revision, revision);
  assert.equal((await store.range({ prefix: '/foos/0', exact: true })).items.length, 1);
  await assert.rejects(store.range({ prefix: '/foos/2', exact: true }), { name: 'KVError', code: 'corrupt' });
  const unknown = 'request to convert CR from an invalid group/version: example.com/v9';
  await assert.rejects(store.range({ prefix: '/foos/1', exact: true }), { name: 'StatusError', message: unknown });
});
