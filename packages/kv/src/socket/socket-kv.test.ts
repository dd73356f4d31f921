import assert from 'node:assert/strict';
import { duplexPair } from 'node:stream';
import { describe, it, test } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import * as fc from 'fast-check';
import { KVError } from '../interface/index.js';
import { openMemoryKV } from '../memory/index.js';
import { agreeWithModel, kvSuite } from '../testing/index.js';
import { createKVServer, openSocketKV } from './index.js';
import { encodeServerMessage } from './protocol/answers.js';
import { connectTo, openServed } from './served.testing.js';

const features = { inProcess: false };
kvSuite('served store', openServed, features);

test('served store: agrees with the model on random operations', { timeout: 600_000 }, () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 1000 }), { minLength: 20, maxLength: 400, size: 'max' }), (numbers) =>
      agreeWithModel(openServed, numbers, features),
    ),
    { numRuns: 100 },
  ),
);

const valueOf = (text: string) => ({ type: 'put', value: Buffer.from(text) }) as const;

describe('a served store', () => {
  it('shows a write of one client to all others before it resolves, in their watches too', async () => {
    await using kv = openMemoryKV();
    const server = await createKVServer(kv);
    const [writer, reader] = [await connectTo(server), await connectTo(server)];
    const seen: number[] = [];
    const sink = {
      batch: ({ revision }: { readonly revision: number }) => void seen.push(revision),
      progress: (revision: number) => void seen.push(revision),
      ended: () => undefined,
    };
    reader.watch({ prefix: '/a/', fromRevision: 1, withoutPrevious: true }, sink, new AbortController().signal);
    for (let index = 0; index < 50; index += 1) {
      const key = index % 3 === 0 ? `/b/${index}` : `/a/${index}`;
      const { revision } = await writer.txn({ key, expectedRevision: 0, operation: valueOf('x') });
      assert.ok((await reader.currentRevision()) >= revision);
      assert.equal(seen.at(-1), revision);
    }
    assert.deepEqual(
      seen.filter((revision) => revision > 1),
      Array.from({ length: 50 }, (_, index) => index + 2),
    );
    await Promise.all([writer.close(), reader.close()]);
    server.close();
  });

  it('sends a large range in parts, and all of it', async () => {
    await using kv = openMemoryKV();
    const server = await createKVServer(kv);
    const client = await connectTo(server);
    const value = 'x'.repeat(100_000);
    for (let index = 100; index < 160; index += 1) {
      await client.txn({ key: `/a/${index}`, expectedRevision: 0, operation: valueOf(value) });
    }
    const { items, count } = await client.range({ prefix: '/a/' });
    assert.equal(count, 60);
    assert.deepEqual(
      items.map(({ key }) => Number(key.slice(3))),
      Array.from({ length: 60 }, (_, index) => 100 + index),
    );
    assert.ok(items.every((item) => item.value.length === 100_000));
    const stop = new AbortController();
    const stopped = client.range({ prefix: '/a/' }, stop.signal);
    stop.abort(new Error('enough'));
    await assert.rejects(stopped, /enough/);
    assert.equal((await client.range({ prefix: '/a/', countOnly: true })).count, 60);
    await client.close();
    server.close();
  });

  it('fails all calls and watches as unavailable when the connection is lost', async () => {
    await using kv = openMemoryKV();
    const server = await createKVServer(kv);
    const [near, far] = duplexPair();
    server.serve(far);
    const lost: string[] = [];
    const client = await openSocketKV({ stream: near, lost: ({ code }) => lost.push(code) });
    const ended = new Promise<Error>((resolve) => {
      const sink = { batch: () => undefined, progress: () => undefined, ended: resolve };
      client.watch({ prefix: '/', fromRevision: 1, withoutPrevious: true }, sink, new AbortController().signal);
    });
    await client.currentRevision();
    const asked = client.currentRevision();
    far.end();
    const isUnavailable = (error: unknown) => error instanceof KVError && error.code === 'unavailable';
    await assert.rejects(asked, isUnavailable);
    assert.ok(isUnavailable(await ended));
    await assert.rejects(client.range({ prefix: '/' }), isUnavailable);
    assert.deepEqual(lost, ['unavailable']);
    await client.close();
    server.close();
  });

  it('ends the watches of a client that leaves', async () => {
    await using kv = openMemoryKV();
    const server = await createKVServer(kv);
    const client = await connectTo(server);
    const sink = { batch: () => undefined, progress: () => undefined, ended: () => undefined };
    client.watch({ prefix: '/', fromRevision: 1 }, sink, new AbortController().signal);
    await client.currentRevision();
    await client.close();
    const other = await connectTo(server);
    await other.txn({ key: '/a', expectedRevision: 0, operation: valueOf('x') });
    await other.close();
    server.close();
  });

  it('refuses requests that are too long, and serves the next one', async () => {
    await using client = await openServed({ clock: systemClock });
    const value = Buffer.alloc(17 * 1024 * 1024);
    const operation = { type: 'put', value } as const;
    await assert.rejects(client.txn({ key: '/a', expectedRevision: 0, operation }), RangeError);
    assert.equal(await client.currentRevision(), 1);
  });

  it('ends a connection that breaks the protocol, on both sides', async () => {
    await using kv = openMemoryKV();
    const server = await createKVServer(kv);
    const [near, far] = duplexPair();
    server.serve(far);
    const closed = new Promise<void>((resolve) => far.on('close', () => resolve()));
    far.on('error', () => undefined);
    near.on('error', () => undefined);
    near.write(Buffer.from([1, 0, 0, 0, 99]));
    await closed;
    server.close();
    const [client, other] = duplexPair();
    const opening = openSocketKV({ stream: client });
    other.write(encodeServerMessage({ type: 'hello', version: 99 }));
    await assert.rejects(opening, /version 99/);
  });
});
