import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { EventBatch } from '../interface/index.js';
import { openMemoryKV } from '../memory/index.js';
import { createKVServer } from './index.js';
import { connectTo } from './served.testing.js';

const PREFIXES = ['/a/', '/b/', '/'] as const;

/** Writes at random, and begins watches at random between them, with and without previous values. */
async function watchesSeeEverything(numbers: readonly number[]): Promise<void> {
  await using kv = openMemoryKV();
  const server = await createKVServer(kv);
  const clients = [await connectTo(server), await connectTo(server)];
  const written: { readonly revision: number; readonly key: string }[] = [];
  const watches: { readonly prefix: string; readonly from: number; readonly seen: EventBatch[]; reached: number }[] =
    [];
  const pending: Promise<unknown>[] = [];
  for (const [index, number] of numbers.entries()) {
    const client = clients[number % 2] ?? kv;
    if (number % 5 === 0) {
      const newest = await client.currentRevision();
      const prefix = PREFIXES[number % 3] ?? '/';
      const watch = { prefix, from: Math.max(1, newest - (number % 7)), seen: [] as EventBatch[], reached: 0 };
      watches.push(watch);
      const sink = {
        batch: (batch: EventBatch) => {
          assert.ok(batch.revision > watch.reached);
          watch.seen.push(batch);
          watch.reached = batch.revision;
        },
        progress: (revision: number) => {
          assert.ok(revision >= watch.reached);
          watch.reached = revision;
        },
        ended: (error: Error) => assert.fail(error),
      };
      const request = { prefix, fromRevision: watch.from };
      const shared = number % 4 === 0 ? request : { ...request, withoutPrevious: true as const };
      client.watch(shared, sink, new AbortController().signal);
    } else {
      const key = `${number % 3 === 0 ? '/a/' : '/b/'}${index}`;
      const operation = { type: 'put', value: Buffer.from('x') } as const;
      pending.push(
        client.txn({ key, expectedRevision: 0, operation }).then(({ revision }) => written.push({ revision, key })),
      );
      if (number % 11 === 0) await Promise.all(pending);
    }
  }
  await Promise.all(pending);
  const newest = (await kv.status()).revision;
  for (const client of clients) await client.currentRevision();
  while (watches.some(({ reached }) => reached < newest)) await loop();
  written.sort((a, b) => a.revision - b.revision);
  for (const { prefix, from, seen, reached } of watches) {
    assert.equal(reached, Math.max(newest, from > newest ? 0 : newest));
    assert.deepEqual(
      seen.map(({ revision, events }) => `${revision} ${events[0]?.key ?? ''}`),
      written
        .filter(({ revision, key }) => revision > from && key.startsWith(prefix))
        .map(({ revision, key }) => `${revision} ${key}`),
    );
  }
  await Promise.all(clients.map((client) => client.close()));
  server.close();
}

test('watches of a served store see every event once and in order, whenever they begin', () =>
  fc.assert(fc.asyncProperty(fc.array(fc.nat({ max: 1000 }), { minLength: 5, maxLength: 120 }), watchesSeeEverything), {
    numRuns: 100,
  }));
