import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '@binnacle/apimachinery/clock';
import { runningServer } from './background-server.js';
import { ClusterFolder } from './cluster-folder.js';
import { runCluster } from './run.js';

/** A server that is never ready. */
const program = [process.execPath, '-e', 'setInterval(() => undefined, 1000)'];

describe('binnacle cluster', { timeout: 600_000 }, () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'clusters-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('leaves no server and no cluster when create is interrupted', async () => {
    const folder = new ClusterFolder(directory, 'dev');
    const kubeconfig = join(directory, 'kubeconfig');
    const interrupt = new AbortController();
    const creating = runCluster(
      { action: 'create', name: 'dev', nodes: 0, waitMs: 50_000, kubeconfig },
      {
        directory,
        program,
        kubeconfigs: [kubeconfig],
        print: assert.fail,
        clock: systemClock,
        signal: interrupt.signal,
      },
    );
    let server = await runningServer(folder);
    for (; server === undefined; server = await runningServer(folder)) await pause(10);
    interrupt.abort(new Error('the command is interrupted'));
    await assert.rejects(creating, /^Error: cluster dev did not start: the command is interrupted$/);
    assert.throws(() => process.kill(server.pid, 0), { code: 'ESRCH' });
    assert.deepEqual([existsSync(folder.path), existsSync(kubeconfig)], [false, false]);
  });
});
