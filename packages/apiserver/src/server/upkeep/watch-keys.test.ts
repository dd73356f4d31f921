import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openMemoryKV } from '@binnacle/kv/memory';
import { settle } from '@binnacle/apimachinery/clock';
import { watchKeys } from './watch-keys.js';

describe('watchKeys', () => {
  it('reports changes under its prefixes from now on, until the signal fires or the store ends', async () => {
    await using kv = openMemoryKV();
    const put = async (key: string): Promise<void> => {
      const operation = { type: 'put', value: new Uint8Array(1) } as const;
      await kv.txn({ key, expectedRevision: 0, operation });
      await settle();
    };
    await put('/a/before');
    const steps: string[] = [];
    const stop = new AbortController();
    const follow = (name: string, prefixes: readonly string[], signal: AbortSignal) =>
      watchKeys(kv, prefixes, {
        onChange: () => steps.push(`${name} changed`),
        onEnd: () => steps.push(`${name} ended`),
        signal,
      });
    await follow('first', ['/a/', '/b/'], stop.signal);
    await follow('second', ['/a/', '/b/'], new AbortController().signal);
    await put('/a/1');
    await put('/c/1');
    assert.deepEqual(steps.splice(0), ['first changed', 'second changed']);
    stop.abort();
    await put('/b/1');
    await kv.close();
    await settle();
    assert.deepEqual(steps, ['second changed', 'second ended']);
  });
});
