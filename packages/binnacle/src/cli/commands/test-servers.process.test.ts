import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { get } from 'node:https';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sleep, systemClock } from '@binnacle/apimachinery/clock';
import { hasErrorCode } from '@binnacle/apimachinery/errors';

const main = fileURLToPath(new URL('../../../bundle/cli/main.js', import.meta.url));
const options = { timeout: 600_000 };

type Result = Readonly<Record<string, string>>;

interface Answer {
  readonly result?: Result;
  readonly error?: string;
}

/** A `binnacle test-servers` process. */
class Servers {
  readonly process: ChildProcess;
  readonly exitCode: Promise<number | null>;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  constructor() {
    this.process = spawn(process.execPath, [main, 'test-servers'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.exitCode = new Promise((resolve) => this.process.on('close', resolve));
    if (this.process.stdout === null) throw new Error('there is no standard output');
    createInterface({ input: this.process.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer & { readonly id: number };
      this.#waiting.get(answer.id)?.(answer);
    });
  }

  async call(name: string, fields: object = {}): Promise<Result> {
    const id = ++this.#lastId;
    const answer = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.process.stdin?.write(`${JSON.stringify({ id, call: name, ...fields })}\n`);
    const { result, error } = await answer;
    if (result === undefined) throw new Error(error);
    return result;
  }
}

/** The code and body of an answer to the administrator. */
function request(server: Result, path: string): Promise<string> {
  const { certificateAuthority: ca, clientCertificate: cert, clientKey: key } = server;
  return new Promise((resolve, reject) => {
    get(`${server['url']}${path}`, { ca, cert, key, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('end', () => resolve(`${answer.statusCode} ${text}`));
    }).on('error', reject);
  });
}

describe('binnacle test-servers', () => {
  let servers: Servers;
  before(() => {
    servers = new Servers();
  });
  after(async () => {
    servers.process.kill('SIGKILL');
    await servers.exitCode;
  });

  it('starts, forks and stops servers', options, async () => {
    const base = await servers.call('start');
    const fork = await servers.call('fork', { server: base['server'] });
    assert.notEqual(base['url'], fork['url']);
    for (const each of [base, fork]) assert.match(await request(each, '/api/v1/namespaces/default'), /^200 /);
    await servers.call('stop', { server: base['server'] });
    await assert.rejects(request(base, '/api'), /ECONNREFUSED/);
    assert.match(await request(fork, '/api'), /^200 /);
    await assert.rejects(servers.call('fork', { server: base['server'] }), /there is no server "1"/);
  });

  it('injects faults, counts their hits, and keeps the log of each server', options, async () => {
    const server = await servers.call('start');
    const other = await servers.call('start');
    const id = { server: server['server'] };
    const rule = { match: { resource: 'configmaps' }, action: { type: 'answer', code: 503 } };
    const { fault } = await servers.call('addFault', { ...id, rule });
    assert.match(await request(server, '/api/v1/configmaps'), /^503 /);
    assert.deepEqual(await servers.call('faultHits', { ...id, fault }), { hits: 1 });
    await servers.call('removeFault', { ...id, fault });
    assert.match(await request(server, '/api/v1/configmaps'), /^200 /);
    await assert.rejects(servers.call('faultHits', { ...id, fault }), /there is no fault 1/);
    await assert.rejects(servers.call('addFault', { ...id, rule: {} }), /action: must be an object with a type/);
    const linesOf = async (id: string | undefined): Promise<string> =>
      JSON.stringify(await servers.call('log', { server: id }));
    assert.match(await linesOf(server['server']), /URI=\\"\/api\/v1\/configmaps\\".* resp=503/);
    assert.doesNotMatch(await linesOf(other['server']), /configmaps/);
  });

  it('resets a server to a snapshot', options, async () => {
    const id = { server: (await servers.call('start'))['server'] };
    const { snapshot } = await servers.call('snapshot', id);
    assert.deepEqual(await servers.call('reset', { ...id, snapshot }), {});
    await assert.rejects(servers.call('reset', { ...id, snapshot: 'x' }), /there is no snapshot x/);
  });

  it('starts servers with flags and definitions, and refuses what does not apply', options, async () => {
    const server = await servers.call('start', { flags: ['--nodes=1'] });
    assert.match(await request(server, '/api/v1/nodes'), /^200 /);
    await assert.rejects(servers.call('start', { flags: ['--data-dir=x'] }), /--data-dir does not apply/);
    await assert.rejects(servers.call('start', { definitions: ['/none'] }), /\/none: /);
    const id = { server: server['server'] };
    await assert.rejects(servers.call('installDefinitions', { ...id, paths: ['/none'] }), /\/none: /);
    await assert.rejects(servers.call('installWebhooks', { ...id, paths: ['/none'], port: 1 }), /\/none: /);
  });

  it('ends with its standard input, and leaves no files', options, async () => {
    const own = new Servers();
    const { server } = await own.call('start');
    const { path = '' } = await own.call('kubeconfigFile', { server });
    assert.match(readFileSync(path, 'utf8'), /^kind: Config$/m);
    own.process.stdin?.end();
    assert.equal(await own.exitCode, 0);
    assert.ok(!existsSync(path));
  });

  it('ends at a line without an end', options, async () => {
    const child = spawn(process.execPath, [main, 'test-servers'], { stdio: 'pipe' });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => (errors += piece));
    // The process stops reading when it ends.
    child.stdin.on('error', () => undefined);
    child.stdin.write(Buffer.alloc(17 * 1024 * 1024, 'a'));
    assert.deepEqual(await once(child, 'close'), [1, null]);
    assert.equal(errors, 'binnacle: a request is longer than 16777216 bytes\n');
  });

  it('ends when the process that started it is killed', options, async () => {
    const parent = spawn(
      process.execPath,
      [
        '-e',
        `const { spawn } = require('node:child_process');
         const child = spawn(process.execPath, [${JSON.stringify(main)}, 'test-servers'], { stdio: 'pipe' });
         child.stdin.write('{"id":1,"call":"start"}\\n');
         child.stdout.pipe(process.stdout);`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const lines = createInterface({ input: parent.stdout });
    const [line] = (await once(lines, 'line')) as [string];
    const { result: server = {} } = JSON.parse(line) as Answer;
    parent.kill('SIGKILL');
    for (;;) {
      try {
        await request(server, '/api');
      } catch (error) {
        if (isRefused(error)) return;
      }
      await sleep(systemClock, 50);
    }
  });
});

function isRefused(error: unknown): boolean {
  return hasErrorCode(error, 'ECONNREFUSED');
}
