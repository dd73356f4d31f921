import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stopLimitMs } from './serve.js';

const main = fileURLToPath(new URL('../../../bundle/cli/main.js', import.meta.url));
const options = { timeout: 600_000 };

/** A `binnacle` process and its output. */
class Run {
  readonly process: ChildProcess;
  readonly exitCode: Promise<number | null>;
  stdout = '';
  stderr = '';
  readonly #ready: Promise<void>;

  constructor(...args: readonly string[]) {
    this.process = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.exitCode = new Promise((resolve) => this.process.on('close', resolve));
    this.#ready = new Promise((resolve, reject) => {
      this.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
        this.stdout += text;
        if (this.lines().length === 3) resolve();
      });
      this.process.on('close', () => reject(new Error(`ended before it was ready: ${this.stderr}`)));
    });
    // Tests of failed starts do not await this promise.
    this.#ready.catch(() => undefined);
  }

  lines(): readonly string[] {
    return this.stdout.split('\n').slice(0, -1);
  }

  async ready(): Promise<{ port: number; kubeconfigFile: string }> {
    await this.#ready;
    const port = Number(/:([0-9]+) /.exec(this.lines()[0] ?? '')?.[1]);
    const kubeconfigFile = /^export KUBECONFIG=(.*)$/.exec(this.lines()[1] ?? '')?.[1] ?? '';
    return { port, kubeconfigFile };
  }
}

describe('binnacle serve', () => {
  let directory = '';
  const runs: Run[] = [];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'serve-'));
  });
  afterEach(async () => {
    for (const run of runs.splice(0)) {
      run.process.kill('SIGKILL');
      await run.exitCode;
    }
    rmSync(directory, { recursive: true });
  });
  const serve = (...args: readonly string[]) => {
    const run = new Run(main, 'serve', '--secure-port=0', ...args);
    runs.push(run);
    return run;
  };

  it('in memory: prints three lines, and leaves no files after SIGTERM', options, async () => {
    const run = serve('--in-memory');
    const { kubeconfigFile } = await run.ready();
    assert.match(run.stdout, /^Serving .* at https:\/\/127\.0\.0\.1:\d+ .*\nexport KUBECONFIG=.*\nData in memory.*\n$/);
    assert.match(readFileSync(kubeconfigFile, 'utf8'), /^kind: Config$/m);
    run.process.kill('SIGTERM');
    assert.equal(await run.exitCode, 0);
    assert.equal(run.stderr, '');
    assert.ok(!existsSync(kubeconfigFile));
  });

  it('goes on after the hangup of a terminal that it does not have', options, async () => {
    const run = serve('--in-memory');
    const { port } = await run.ready();
    run.process.kill('SIGHUP');
    const status = await new Promise<number | undefined>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: '/livez', rejectUnauthorized: false, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).on('error', reject);
    });
    assert.equal(status, 200);
    run.process.kill('SIGTERM');
    assert.equal(await run.exitCode, 0);
  });

  it('serves its flags and its status to the administrator', options, async () => {
    const run = serve('--in-memory', '--v=0', '--apiserver-count=1');
    const { port, kubeconfigFile } = await run.ready();
    const field = (name: string) => {
      const found = new RegExp(`${name}: (.*)`).exec(readFileSync(kubeconfigFile, 'utf8'));
      return Buffer.from(found?.[1] ?? '', 'base64');
    };
    const identity = { cert: field('client-certificate-data'), key: field('client-key-data') };
    const page = (path: string) =>
      new Promise<string>((resolve, reject) => {
        get({ host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false, ...identity }, (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
          answer.on('end', () => resolve(text));
        }).on('error', reject);
      });
    assert.match(await page('/flagz'), /\nin-memory[:= ]+true\n/);
    assert.match(
      await page('/statusz'),
      /^\napiserver statusz\n[^]*\nPaths[:= ]+\/flagz \/healthz \/livez \/metrics \/readyz \/version\n$/,
    );
    run.process.kill('SIGTERM');
    assert.equal(await run.exitCode, 0);
    assert.equal(run.stderr, 'binnacle: --apiserver-count has no effect: servers find each other by their leases\n');
  });

  it('logs each request as a line of JSON', options, async () => {
    const run = serve('--in-memory', '--logging-format=json', '-v', '3');
    const { port } = await run.ready();
    const answer = await new Promise<string>((resolve, reject) => {
      const headers = { 'audit-id': 'mine', 'user-agent': 'test' };
      get({ host: '127.0.0.1', port, path: '/api?x=1', rejectUnauthorized: false, agent: false, headers }, (given) => {
        given.resume().on('end', () => resolve(String(given.statusCode)));
      }).on('error', reject);
    });
    assert.equal(answer, '403');
    run.process.kill('SIGTERM');
    assert.equal(await run.exitCode, 0);
    const lines = run.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const line = lines.find((each) => each['audit-ID'] === 'mine');
    const { ts: _, latency, ...given } = line ?? {};
    const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !name.startsWith('apf_')));
    assert.match(String(latency), /^[0-9.]+m?s$/);
    assert.deepEqual(rest, {
      logger: 'requests',
      msg: 'HTTP',
      v: 3,
      verb: 'GET',
      URI: '/api?x=1',
      userAgent: 'test',
      'audit-ID': 'mine',
      srcIP: '127.0.0.1',
      user: 'system:anonymous',
      resp: 403,
    });
  });

  it('serves after SIGTERM for the shutdown delay, while /readyz fails', options, async () => {
    const run = serve('--in-memory', '--shutdown-delay-duration=10m');
    const { kubeconfigFile, port } = await run.ready();
    const authority = Buffer.from(
      /certificate-authority-data: (.*)/.exec(readFileSync(kubeconfigFile, 'utf8'))?.[1] ?? '',
      'base64',
    );
    const status = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        get({ host: '127.0.0.1', port, path, ca: authority, agent: false }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).on('error', reject);
      });
    assert.equal(await status('/readyz'), 200);
    run.process.kill('SIGTERM');
    while ((await status('/readyz')) !== 500) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([await status('/livez'), await status('/version')], [200, 200]);
  });

  it('ends with 0 after its shutdown delay', options, async () => {
    const run = serve('--in-memory', '--shutdown-delay-duration=1s', '--v=1');
    await run.ready();
    run.process.kill('SIGTERM');
    assert.equal(await run.exitCode, 0);
    const stages = Array.from(run.stderr.matchAll(/"\[graceful-termination\] shutdown event" .* name="(\w+)"/g));
    assert.deepEqual(
      stages.map(([, name]) => name),
      [
        'ShutdownInitiated',
        'PreShutdownHooksStopped',
        'AfterShutdownDelayDuration',
        'NotAcceptingNewRequest',
        'HTTPServerStoppedListening',
        'InFlightRequestsDrained',
      ],
    );
    assert.equal(stopLimitMs({ shutdownDelayMs: 60_000 }), 70_000);
  });

  it('a second start in a directory reuses its data, and a repeated Ctrl-C counts once', options, async () => {
    const first = serve('--data-dir', directory);
    const { kubeconfigFile } = await first.ready();
    const authority = /certificate-authority-data: (.*)/;
    const before = authority.exec(readFileSync(kubeconfigFile, 'utf8'))?.[1];
    first.process.kill('SIGINT');
    first.process.kill('SIGINT');
    assert.equal(await first.exitCode, 0);
    const second = serve('--data-dir', directory);
    await second.ready();
    assert.equal(authority.exec(readFileSync(kubeconfigFile, 'utf8'))?.[1], before);
  });

  it('refuses a directory that another server uses', options, async () => {
    const first = serve('--data-dir', directory);
    const { kubeconfigFile } = await first.ready();
    const before = readFileSync(kubeconfigFile, 'utf8');
    const second = serve('--data-dir', directory);
    assert.equal(await second.exitCode, 1);
    assert.match(second.stderr, /^binnacle: [^\n]*stop that process, or choose another directory with --data-dir\n$/);
    assert.equal(readFileSync(kubeconfigFile, 'utf8'), before);
  });

  it('reports a port in use in one line, and writes no kubeconfig', options, async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    assert.ok(typeof address === 'object' && address !== null);
    const run = serve('--data-dir', directory, `--secure-port=${address.port}`);
    assert.equal(await run.exitCode, 1);
    assert.match(run.stderr, /^binnacle: port \d+ on 127\.0\.0\.1 is in use by another process; [^\n]*\n$/);
    assert.equal(run.stdout, '');
    assert.ok(!existsSync(join(directory, 'kubeconfig')));
    other.close();
  });

  it('ends within a second before it is ready, although a thread hangs', options, async () => {
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // Hangs until someone writes to the pipe.
    const hang = `import fs from 'node:fs'; fs.open(${JSON.stringify(pipe)}, 'r', () => {}); console.log('hangs');`;
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    assert.ok(typeof address === 'object' && address !== null);
    const etcd = `--etcd-servers=http://127.0.0.1:${address.port}`;
    const run = new Run(`--import=data:text/javascript,${encodeURIComponent(hang)}`, main, 'serve', etcd);
    runs.push(run);
    const [socket] = (await once(silent, 'connection')) as [Socket];
    run.process.kill('SIGTERM');
    assert.deepEqual([await run.exitCode, run.process.signalCode], [null, 'SIGKILL']);
    socket.destroy();
    silent.close();
  });

  it('stops at once on a signal before it is ready', options, async () => {
    const connected = new Set<Socket>();
    // An etcd that accepts connections and never answers.
    const silent = createServer((socket) => connected.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    assert.ok(typeof address === 'object' && address !== null);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const run = serve('--data-dir', directory, `--etcd-servers=http://127.0.0.1:${address.port}`);
      await once(silent, 'connection');
      run.process.kill(signal);
      assert.equal(await run.exitCode, 0);
      assert.equal(run.stdout, '');
    }
    for (const socket of connected) socket.destroy();
    silent.close();
  });

  it('reports an unusable data directory in one line, immediately', options, async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    const unusable = [
      [file, 'a part of the path is not a directory'],
      [join(file, 'below'), 'a part of the path is not a directory'],
      ...(process.platform === 'linux' ? [['/proc/binnacle', 'no directory can be created there'] as const] : []),
    ] as const;
    for (const [path, reason] of unusable) {
      const run = serve('--data-dir', path);
      assert.equal(await run.exitCode, 1);
      assert.ok(run.stderr.startsWith(`binnacle: cannot use the data directory ${path}: `), run.stderr);
      assert.ok(
        run.stderr.endsWith(`: ${reason}; fix that, or choose another directory with --data-dir\n`),
        run.stderr,
      );
    }
  });

  it('reports an unknown API in --runtime-config in one line', options, async () => {
    const run = serve('--in-memory', '--runtime-config=nonsense/v1=true');
    assert.equal(await run.exitCode, 1);
    assert.equal(run.stderr, 'binnacle: unknown api groups nonsense/v1\n');
  });

  it('exits with code 2 for a wrong command line', options, async () => {
    const run = serve('--nonsense');
    assert.equal(await run.exitCode, 2);
    assert.match(run.stderr, /^binnacle: unknown option '--nonsense'[^\n]*\n$/);
  });
});
