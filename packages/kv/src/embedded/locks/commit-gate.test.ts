import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import { openEmbeddedKV } from '../index.js';
import { checkStore } from '../maintenance/index.js';
import { openCommitGate } from './commit-gate.js';

async function inDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'kv-gate-'));
  try {
    await run(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe('the gate of a store', () => {
  it('lets one holder run at a time, and the next one when it is done, also after a failure', () =>
    inDirectory(async (directory) => {
      const [first, second] = [await openCommitGate(directory), await openCommitGate(directory)];
      const events: string[] = [];
      let fail = (_error: Error): void => undefined;
      const running = first.run(async () => {
        events.push('first begins');
        await new Promise<void>((_resolve, reject) => {
          fail = reject;
        });
      });
      const waiting = second.run(async () => {
        events.push('second');
      });
      await settle();
      assert.deepEqual(events, ['first begins']);
      fail(new Error('no space'));
      await assert.rejects(running, /no space/);
      await waiting;
      assert.deepEqual(events, ['first begins', 'second']);
      await first.run(async () => {
        events.push('again');
      });
      assert.equal(events.at(-1), 'again');
      first.close();
      second.close();
    }));

  it('lets overlapping runs of one holder through together', () =>
    inDirectory(async (directory) => {
      const gate = await openCommitGate(directory);
      const other = await openCommitGate(directory);
      let end = (): void => undefined;
      const long = gate.run(
        () =>
          new Promise<void>((resolve) => {
            end = resolve;
          }),
      );
      assert.equal(await gate.run(async () => 1), 1);
      let entered = false;
      const waiting = other.run(async () => {
        entered = true;
      });
      await settle();
      assert.equal(entered, false);
      end();
      await Promise.all([long, waiting]);
      gate.close();
      other.close();
    }));

  it('needs the directory of the store', () =>
    inDirectory(async (directory) => {
      await assert.rejects(openCommitGate(join(directory, 'absent')), { code: 'ENOENT' });
    }));
});

describe('a store whose gate another process holds', () => {
  it('commits, and is opened for a check, only when it is released', () =>
    inDirectory(async (directory) => {
      await using kv = await openEmbeddedKV({ directory });
      const gate = await openCommitGate(directory);
      const done: string[] = [];
      let release = (): void => undefined;
      const held = gate.run(
        () =>
          new Promise<void>((resolve) => {
            release = resolve;
          }),
      );
      await settle();
      const operation = { type: 'put', value: Buffer.from('{}') } as const;
      const written = kv.txn({ key: '/a', expectedRevision: 0, operation }).then(() => done.push('written'));
      const checked = checkStore({ directory }).then(({ problems }) => done.push(`checked ${problems.length}`));
      // Reads do not wait.
      assert.equal((await kv.range({ prefix: '/' })).count, 0);
      await settle();
      assert.deepEqual(done, []);
      release();
      await Promise.all([held, written, checked]);
      assert.deepEqual(new Set(done), new Set(['checked 0', 'written']));
      gate.close();
    }));
});
