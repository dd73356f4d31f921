import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import { ContainerProcess, Prober, Reaper, runCommand } from './index.js';
import { runProbe } from './run-probe.js';

const PATIENCE = 120_000;

async function until(holds: () => boolean): Promise<void> {
  for (const start = Date.now(); Date.now() - start < PATIENCE; await pause(10)) if (holds()) return;
  assert.fail('it did not come');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('processes', () => {
  let folder = '';
  let reaper: Reaper;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'binnacle-processes-'));
    reaper = await Reaper.start(join(folder, 'reaped'));
  });
  after(async () => {
    await reaper.close();
    rmSync(folder, { recursive: true });
  });

  const environment = { PATH: process.env['PATH'] ?? '', A: 'value' };
  const start = (...command: readonly string[]) =>
    ContainerProcess.start({ command, environment, directory: folder, hasInput: false }, reaper, systemClock);
  const shell = (script: string) => start('sh', '-c', script);

  it('have both outputs, their variables alone, their directory, and their code', async () => {
    const child = await shell('echo "$A $HOME."; pwd >&2; exit 3');
    assert.equal((await child.ended).exitCode, 3);
    const lines = Array.from({ length: child.output.countAt() }, (_, index) => child.output.line(index).text);
    assert.deepEqual(lines.toSorted(), [folder, 'value .'].toSorted());
    assert.equal(child.output.isComplete, true);
  });

  it('that cannot start have ended with a problem', async () => {
    const missing = await start('no-such-program');
    assert.deepEqual(
      [missing.end?.exitCode, missing.end?.problem],
      [128, 'exec: "no-such-program": executable file not found in $PATH'],
    );
    const plain = join(folder, 'plain');
    writeFileSync(plain, '');
    assert.match((await start(plain)).end?.problem ?? '', /no such executable file/);
  });

  it('are asked to end, and killed after a time', async () => {
    const polite = await shell('trap "echo bye; exit 5" TERM; echo up; while :; do sleep 0.05; done');
    const stubborn = await shell('trap "" TERM; echo up; while :; do sleep 0.05; done');
    await until(() => polite.output.countAt() > 0 && stubborn.output.countAt() > 0);
    polite.stop(PATIENCE);
    assert.equal((await polite.ended).exitCode, 5);
    stubborn.stop(PATIENCE);
    assert.equal(stubborn.isEnding, true);
    stubborn.stop(1);
    stubborn.stop(PATIENCE);
    assert.equal((await stubborn.ended).exitCode, 137);
  });

  it('end with all that they have started', async () => {
    const child = await shell('sleep 1000 & echo $!; wait');
    await until(() => child.output.countAt() > 0);
    const grandchild = Number(child.output.line(0).text);
    child.stop(PATIENCE);
    assert.equal((await child.ended).exitCode, 143);
    await until(() => !isAlive(grandchild));
  });

  it('run commands with an input, and kill them', async () => {
    const outputs = { stdout: '', stderr: '' };
    const streams = {
      stdin: (async function* () {
        yield Buffer.from('typed');
      })(),
      stdout: async (bytes: Buffer) => void (outputs.stdout += String(bytes)),
      stderr: async (bytes: Buffer) => void (outputs.stderr += String(bytes)),
    };
    const spec = { environment, directory: folder };
    const { signal } = new AbortController();
    const command = ['sh', '-c', 'cat; echo no >&2; exit 4'];
    assert.deepEqual(await runCommand({ ...spec, command }, streams, { reaper, signal }), { code: 4 });
    assert.deepEqual(outputs, { stdout: 'typed', stderr: 'no\n' });
    const stopping = new AbortController();
    const killed = runCommand(
      { ...spec, command: ['sleep', '1000'] },
      { ...streams, stdin: undefined },
      {
        reaper,
        signal: stopping.signal,
      },
    );
    stopping.abort();
    assert.deepEqual(await killed, { code: 137 });
    const missing = runCommand({ ...spec, command: ['no-such'] }, streams, { reaper, signal });
    assert.ok('problem' in (await missing));
  });

  it('end with this process, even if it is killed', async () => {
    const reaped = join(folder, 'folder of a killed server');
    const program = `
      import { systemClock } from '@binnacle/apimachinery/clock';
      import { ContainerProcess, Reaper } from ${JSON.stringify(new URL('./index.js', import.meta.url).href)};
      import { mkdirSync } from 'node:fs';
      mkdirSync(${JSON.stringify(reaped)});
      const reaper = await Reaper.start(${JSON.stringify(reaped)});
      const spec = { environment: { PATH: process.env.PATH }, directory: '/', hasInput: false };
      const start = (script) => ContainerProcess.start({ ...spec, command: ['sh', '-c', script] }, reaper, systemClock);
      const ended = await start('echo $$');
      await ended.ended;
      const child = await start('trap "" TERM HUP INT; sleep 1000 & echo $$ $!; wait');
      while (child.output.countAt() === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      console.log(child.output.line(0).text);
      setInterval(() => undefined, 1000);`;
    const server = spawn(process.execPath, ['--input-type=module', '-e', program], {
      cwd: new URL('..', import.meta.url),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let line = '';
    server.stdout.on('data', (bytes: Buffer) => (line += bytes.toString()));
    await until(() => line.includes('\n'));
    const pids = line.trim().split(' ').map(Number);
    assert.equal(pids.length, 2);
    assert.ok(pids.every(isAlive));
    server.kill('SIGKILL');
    await until(() => !pids.some(isAlive) && !existsSync(reaped));
  });
});

describe('probes', () => {
  let server: Server;
  let code = 200;
  let port = 0;
  before(async () => {
    server = createServer((request, response) => {
      if (request.url === '/hangs') return;
      response.writeHead(code).end(request.headers['x-own']);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { signal } = new AbortController();
  const parts = {
    clock: systemClock,
    timeout: PATIENCE,
    run: async (command: readonly string[]) => ({ exitCode: Number(command[0]), output: 'said' }),
  };
  const http = (path = '/') => ({ kind: 'http' as const, url: `http://127.0.0.1:${port}${path}`, headers: [] });

  it('ask by HTTP, open connections, and run commands', async () => {
    assert.equal(await runProbe(http(), parts, signal), undefined);
    code = 500;
    assert.equal(await runProbe(http(), parts, signal), 'HTTP probe failed with statuscode: 500');
    code = 302;
    assert.equal(await runProbe(http(), parts, signal), undefined);
    assert.equal(await runProbe({ kind: 'tcp', host: '127.0.0.1', port }, parts, signal), undefined);
    assert.equal(await runProbe({ kind: 'exec', command: ['0'] }, parts, signal), undefined);
    assert.equal(await runProbe({ kind: 'exec', command: ['1'] }, parts, signal), 'said');
    assert.equal(await runProbe({ kind: 'unsupported', message: 'no' }, parts, signal), 'no');
  });

  it('fail where no one answers, or not in time', async () => {
    const [closed] = [createServer().listen(0, '127.0.0.1')];
    await once(closed, 'listening');
    const free = (closed.address() as AddressInfo).port;
    closed.close();
    const url = `http://127.0.0.1:${free}/`;
    const refused = await runProbe({ kind: 'http', url, headers: [] }, parts, signal);
    assert.equal(refused, `Get "${url}": connect ECONNREFUSED 127.0.0.1:${free}`);
    const late = await runProbe(http('/hangs'), { ...parts, timeout: 1 }, signal);
    assert.equal(late, `Get "http://127.0.0.1:${port}/hangs": context deadline exceeded`);
  });

  it('of a container begin with startup, and report readiness and failures', async () => {
    code = 500;
    const failures: string[] = [];
    const unhealthy: string[] = [];
    const httpGet = { port };
    const prober = new Prober({
      container: {
        name: 'c',
        startupProbe: { httpGet, periodSeconds: 0.01, failureThreshold: 1e9 },
        readinessProbe: { httpGet, periodSeconds: 0.01, failureThreshold: 1 },
        livenessProbe: { httpGet, periodSeconds: 0.01, failureThreshold: 2 },
      },
      address: '127.0.0.1',
      clock: systemClock,
      run: parts.run,
      onChange: () => undefined,
      onFailure: (kind) => failures.push(kind),
      onUnhealthy: (kind) => unhealthy.push(kind),
    });
    await until(() => failures.length > 2);
    assert.deepEqual([prober.startedAt, prober.readyAt, new Set(failures)], [Infinity, Infinity, new Set(['Startup'])]);
    code = 200;
    await until(() => Number.isFinite(prober.readyAt));
    assert.ok(Number.isFinite(prober.startedAt));
    code = 500;
    await until(() => prober.readyAt === Infinity && unhealthy.length > 0);
    assert.deepEqual(unhealthy, ['Liveness']);
    prober.stop();
  });
});
