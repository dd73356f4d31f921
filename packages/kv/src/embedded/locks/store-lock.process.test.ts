import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { KVError } from '../../interface/index.js';
import { openEmbeddedKV } from '../index.js';

const holder = fileURLToPath(new URL('./lock-holder.testing.js', import.meta.url));
const ownNamespace = ['unshare', '--pid', '--fork', '--mount-proc'] as const;
const options = { timeout: 600_000 };

/** Processes still running. A failed test must end them too, or the run waits for them. */
const held = new Set<ChildProcess>();

/** A process that opens the store, and its answer. */
async function hold(
  directory: string,
  ...wrapper: readonly string[]
): Promise<{ process: ChildProcess; said: string }> {
  const [command, ...rest] = [...wrapper, process.execPath, holder, directory];
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  held.add(child);
  child.once('close', () => held.delete(child));
  const chunks: readonly unknown[] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { process: child, said: String(chunks[0]).trim() };
}

async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.stdin?.end();
  await closed;
}

async function inDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'kv-lock-'));
  try {
    await run(directory);
  } finally {
    await Promise.all(Array.from(held, end));
    await rm(directory, { recursive: true, force: true });
  }
}

async function assertLocked(directory: string, pattern: RegExp): Promise<void> {
  await assert.rejects(openEmbeddedKV({ directory }), (error) => {
    assert.ok(error instanceof KVError);
    assert.equal(error.code, 'locked');
    assert.match(error.message, pattern);
    return true;
  });
}

describe('the lock of a store', options, () => {
  it('holds if the lock file is removed', () =>
    inDirectory(async (directory) => {
      const first = await hold(directory);
      assert.equal(first.said, 'held 1');
      await rm(join(directory, 'lock'));
      await assertLocked(directory, /is in use by another process, which may run in another container$/);
      const second = await hold(directory);
      assert.match(second.said, /^locked /);
      await end(second.process);
      await end(first.process);
      await (await openEmbeddedKV({ directory })).close();
    }));

  it('holds if the pid in the lock file is meaningless', () =>
    inDirectory(async (directory) => {
      const first = await hold(directory);
      const ended = spawnSync(process.execPath, ['--version']).pid;
      const faked = JSON.stringify({ pid: ended, startedAt: 'another boot/1' });
      await writeFile(join(directory, 'lock'), faked);
      await assertLocked(directory, /is in use by another process/);
      assert.equal(await readFile(join(directory, 'lock'), 'utf8'), faked, 'nothing is taken over');
      await end(first.process);
    }));

  const skip = spawnSync(ownNamespace[0], [...ownNamespace.slice(1), 'true']).status !== 0 && 'no PID namespaces here';
  it('holds between PID namespaces', { skip }, () =>
    inDirectory(async (directory) => {
      const first = await hold(directory, ...ownNamespace);
      assert.equal(first.said, 'held 1');
      await assertLocked(directory, /is in use by /);
      const second = await hold(directory, ...ownNamespace);
      assert.match(second.said, /^locked /);
      await end(second.process);
      await end(first.process);
      await (await openEmbeddedKV({ directory })).close();
    }),
  );

  it('is free as soon as its process is killed', () =>
    inDirectory(async (directory) => {
      for (let round = 0; round < 3; round += 1) {
        const { process: child, said } = await hold(directory);
        assert.equal(said, 'held 1');
        const closed = once(child, 'close');
        child.kill('SIGKILL');
        await closed;
        await (await openEmbeddedKV({ directory })).close();
      }
    }));
});
