import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import { identityOf } from '@binnacle/kv/processes';
import { runningServer, startInBackground, stopServer } from './background-server.js';
import { ClusterFolder } from './cluster-folder.js';

const program = (script: string) => [process.execPath, '-e', script];

describe('a server in the background', { timeout: 600_000 }, () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'background-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const created = async (): Promise<ClusterFolder> => {
    const folder = new ClusterFolder(directory, 'one');
    await folder.create({ nodes: 1 });
    return folder;
  };

  it('writes to the log of its cluster, and ends with a signal', async () => {
    const folder = await created();
    const script =
      'process.on("SIGTERM", () => { console.log("down"); process.exit() }); console.log("up"); setInterval(() => {}, 1e6)';
    const { pid } = await startInBackground(program(script), folder);
    assert.equal((await runningServer(folder))?.pid, pid);
    while ((await folder.lastLines(1)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(await stopServer(folder, systemClock), true);
    assert.deepEqual(await folder.lastLines(5), ['up', 'down']);
    assert.equal(await folder.process(), undefined);
    assert.equal(await stopServer(folder, systemClock), false);
  });

  it('is never another process with the same pid', async () => {
    const folder = await created();
    const other: ChildProcess = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(other, 'spawn');
    try {
      const identity = identityOf(other.pid ?? 0);
      await folder.saveProcess({ ...identity, startedAt: 'an earlier time' });
      assert.equal(await runningServer(folder), undefined);
      assert.equal(await stopServer(folder, systemClock), false);
      await folder.saveProcess({ ...identity, startedAt: '' });
      await assert.rejects(stopServer(folder, systemClock), /cannot tell whether process/);
      assert.equal(other.exitCode ?? other.signalCode, null);
    } finally {
      other.stdin?.end();
      await once(other, 'exit');
    }
  });

  it('is found by the lock of its store if no one has recorded it', async () => {
    const folder = await created();
    const script = `import(${JSON.stringify(import.meta.resolve('@binnacle/kv/embedded'))})
      .then(({ openEmbeddedKV }) => openEmbeddedKV({ directory: ${JSON.stringify(folder.store)} }))
      .then(() => console.log("open"), console.error); setInterval(() => {}, 1e6)`;
    const { pid } = await startInBackground(program(script), folder);
    while ((await folder.lastLines(1)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await folder.forgetProcess();
    assert.equal((await runningServer(folder))?.pid, pid);
    assert.equal(await stopServer(folder, systemClock), true);
    assert.equal(await runningServer(folder), undefined);
  });

  it('cannot be a program that does not exist', async () => {
    await assert.rejects(startInBackground([join(directory, 'absent')], await created()), /ENOENT/);
  });
});
