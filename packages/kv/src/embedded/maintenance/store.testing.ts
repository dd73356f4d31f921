import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { KV, RangeResult } from '../../interface/index.js';
import { openEmbeddedKV } from '../index.js';

/** A JSON object of about this many bytes. */
export function object(name: string, bytes = 100): Uint8Array {
  return Buffer.from(JSON.stringify({ name, padding: 'x'.repeat(bytes) }));
}

/** Writes a key, whether it exists or not. */
export async function write(kv: KV, key: string, value: Uint8Array, ttlSeconds?: number): Promise<void> {
  const { items } = await kv.range({ prefix: key, exact: true });
  const ttl = ttlSeconds === undefined ? {} : { ttlSeconds };
  const operation = { type: 'put', value, ...ttl } as const;
  const author = { name: 'the author of all', mark: '00000000-0000-4000-8000-000000000000' };
  await kv.txn({ key, expectedRevision: items[0]?.modRevision ?? 0, operation, author });
}

export async function remove(kv: KV, key: string): Promise<void> {
  const { items } = await kv.range({ prefix: key, exact: true });
  await kv.txn({ key, expectedRevision: items[0]?.modRevision ?? 0, operation: { type: 'delete' } });
}

/**
 * A store with values of several ages, deletions, a key that expires far in the future, and a compaction in the middle.
 */
export async function fill(directory: string, keys: number): Promise<RangeResult> {
  await using kv = await openEmbeddedKV({ directory, clock: new VirtualClock(1_000_000) });
  const names = Array.from({ length: keys }, (_, index) => `/registry/things/${index}`);
  await Promise.all(names.map((key) => write(kv, key, object(key))));
  await write(kv, '/registry/events/one', object('one'), 3600);
  await remove(kv, '/registry/things/0');
  await kv.compact(await kv.currentRevision());
  await Promise.all(names.slice(1, 20).map((key) => write(kv, key, object(`${key} again`))));
  await write(kv, '/registry/things/0', object('back'));
  await remove(kv, '/registry/things/1');
  return await kv.range({ prefix: '' });
}

export async function contentOf(directory: string): Promise<RangeResult> {
  await using kv = await openEmbeddedKV({ directory, clock: new VirtualClock(1_000_000) });
  return await kv.range({ prefix: '' });
}

/** Runs with a temporary directory, which is deleted afterwards. */
export async function inDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'kv-maintenance-'));
  try {
    await run(parent);
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}
