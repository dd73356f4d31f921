import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { openEmbeddedKV } from '../index.js';
import { checkStore, compactStore } from '../maintenance/index.js';
import { damageLargeValue } from './damage-large-value.testing.js';
import { DATA_FILE } from './data-file.js';
import { OverflowCheck } from './overflow-check.js';
import { PageFile } from './page-file.js';

const LARGE = Buffer.alloc(20_000, 'x');
const damaged = { name: 'KVError', code: 'corrupt', message: /data\.mdb is damaged: log: page \d+ is damaged$/ };
const put = (value: Uint8Array, expectedRevision: number) =>
  ({ key: '/a', expectedRevision, operation: { type: 'put', value } }) as const;

async function inDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'kv-overflow-'));
  try {
    await run(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

it('a corrupt page of a large value leaves the value readable, and keeps pages from being freed', () =>
  inDirectory(async (directory) => {
    const whole = await openEmbeddedKV({ directory });
    await whole.txn(put(LARGE, 0));
    await whole.txn(put(Buffer.from('small'), 2));
    await whole.close();
    damageLargeValue(directory);

    await assert.rejects(checkStore({ directory, isEncoded: () => true }), damaged);
    await using kv = await openEmbeddedKV({ directory });
    const past = await kv.range({ prefix: '/a', exact: true, revision: 2 });
    assert.deepEqual(Buffer.from(past.items[0]?.value ?? []), LARGE);
    await assert.rejects(kv.compact(3), damaged);
    await assert.rejects(kv.txn(put(LARGE, 3)), damaged);
    await assert.rejects(kv.checkHealth(), damaged);
    assert.equal((await kv.range({ prefix: '/a', exact: true })).items[0]?.modRevision, 3);
  }));

it('a corrupt page of a large value is not copied by a compaction of the file', () =>
  inDirectory(async (directory) => {
    const whole = await openEmbeddedKV({ directory });
    await whole.txn(put(LARGE, 0));
    // Leaves no history to remove, so only the copy meets the page.
    await whole.compact(2);
    await whole.close();
    damageLargeValue(directory);
    await assert.rejects(compactStore({ directory }), damaged);
  }));

it('the check yields by time, however many pages it reads, and ends when it is stopped', () =>
  inDirectory(async (directory) => {
    const whole = await openEmbeddedKV({ directory });
    await whole.txn(put(LARGE, 0));
    await whole.close();
    const { page, pages } = damageLargeValue(directory);
    const open = (): PageFile => PageFile.open(join(directory, DATA_FILE));
    const sound = Array.from({ length: 1000 }, () => [page, pages + 1]).flat();
    let time = 0;
    const turnsOf = async (check: OverflowCheck, stopAfter = Infinity): Promise<number> => {
      let [turns, isDone] = [0, false];
      const count = (): void => {
        turns += 1;
        if (turns >= stopAfter) check.stop();
        if (!isDone) setImmediate(count);
      };
      setImmediate(count);
      await check.run();
      isDone = true;
      return turns;
    };
    assert.ok((await turnsOf(new OverflowCheck(sound, open, () => time))) <= 1);
    const advance = (): number => (time += 1);
    assert.ok((await turnsOf(new OverflowCheck(sound, open, advance))) >= 900);
    assert.ok((await turnsOf(new OverflowCheck(sound, open, advance), 10)) < 100);
    await assert.rejects(new OverflowCheck([...sound, page, pages], open, advance).run(), damaged);
  }));
