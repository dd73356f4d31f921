import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type WarmedStorage, warmCaches } from './warm-caches.js';

it('warmCaches builds the caches of large collections, the largest first, before any client asks', async () => {
  const built: string[] = [];
  const storage = (name: string, count: number, wanted = false): WarmedStorage => ({
    storage: { count: () => Promise.resolve(count) },
    cacher: {
      wanted,
      firstAttempt: async () => {
        built.push(name);
      },
    },
  });
  const storages = [
    storage('small', 10),
    storage('large', 6000),
    storage('largest', 90_000),
    storage('used', 8000, true),
  ];
  await warmCaches(storages, new AbortController().signal);
  assert.deepEqual(built, ['largest', 'large']);
  await warmCaches(storages, AbortSignal.abort());
  assert.equal(built.length, 2);
});
