import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type LocalKV, type RangeRequest } from '../interface/index.js';
import { openEmbeddedKV } from './index.js';
import { inDirectory } from './maintenance/store.testing.js';

/** A value, or a deletion. */
type Step = string | undefined;

/**
 * A store with `/a`, `/b` and `/c` of revisions 2 to 4, then the steps of `/b`, then `/d` and a second `/a`. The head of the record
 * of revision 5 is corrupt.
 */
async function withDamage(steps: readonly Step[], run: (kv: LocalKV) => Promise<void>): Promise<void> {
  await inDirectory(async (directory) => {
    const kv = await openEmbeddedKV({ directory });
    const revisions = new Map<string, number>();
    const change = async (key: string, value: Step): Promise<void> => {
      const operation =
        value === undefined ? ({ type: 'delete' } as const) : ({ type: 'put', value: Buffer.from(value) } as const);
      const { revision } = await kv.txn({ key, expectedRevision: revisions.get(key) ?? 0, operation });
      revisions.set(key, value === undefined ? 0 : revision);
    };
    for (const key of ['/a', '/b', '/c']) await change(key, `first ${key}`);
    for (const step of steps) await change('/b', step);
    await change('/d', 'first /d');
    await change('/a', 'second /a');
    await kv.close();
    corruptHead(join(directory, 'data.mdb'));
    await using damaged = await openEmbeddedKV({ directory });
    await run(damaged);
  });
}

/** Of each copy of the record in the file: the one whose key has two bytes, and was created and last changed at 3. */
function corruptHead(file: string): void {
  const bytes = readFileSync(file);
  const head = Buffer.from([0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 3]);
  let found = 0;
  for (let at = bytes.indexOf(head); at >= 0; at = bytes.indexOf(head, at + 1)) {
    bytes[at + head.length] = 0xff;
    found += 1;
  }
  assert.ok(found > 0);
  writeFileSync(file, bytes);
}

describe('a past event that cannot be read', { timeout: 600_000 }, () => {
  const reading =
    (kv: LocalKV) =>
    async (prefix: string, request: Partial<RangeRequest> = {}): Promise<string> => {
      const { items, count } = await kv.range({ prefix, revision: 4, ...request });
      return [...items.map(({ key, value }) => `${key}=${Buffer.from(value).toString()}`), count].join(' ');
    };
  const damage = { code: 'corrupt', damaged: [{ key: '/b', revision: 5 }] };

  for (const [name, steps] of [
    ['before another event of its key', ['second', 'third']],
    ['before the deletion of its key', ['second', undefined]],
    ['as the newest of its key', ['second']],
  ] as const) {
    it(`${name}, fails the reads of this key alone`, () =>
      withDamage(steps, async (kv) => {
        const read = reading(kv);
        assert.equal(await read('/a'), '/a=first /a 1');
        assert.equal(await read('/c', { exact: true }), '/c=first /c 1');
        assert.equal(await read('/d', { exact: true }), '0');
        assert.equal(await read('/', { countOnly: true }), '3');
        await assert.rejects(read('/'), damage);
        await assert.rejects(read('/b', { exact: true }), damage);
        const { items, damaged } = await kv.range({ prefix: '/', revision: 4, damaged: 'report' });
        assert.deepEqual([items.map(({ key }) => key), damaged], [['/a', '/c'], [{ key: '/b', revision: 5 }]]);
        assert.equal(await read('/', { revision: 2 }), '/a=first /a 1', 'it did not exist yet');
      }));
  }

  it('fails lists, and reads of keys that it may have deleted, if no event points to it', () =>
    withDamage([undefined, 'third'], async (kv) => {
      const read = reading(kv);
      const error = { code: 'corrupt', message: 'the record of revision 5 is damaged' };
      await assert.rejects(read('/'), error);
      await assert.rejects(read('/b', { exact: true }), error);
      await assert.rejects(read('/e', { exact: true }), error);
      for (const key of ['/a', '/c']) assert.equal(await read(key, { exact: true }), `${key}=first ${key} 1`);
      assert.equal(await read('/', { revision: 5 }), '/a=first /a /c=first /c 2');
    }));
});
