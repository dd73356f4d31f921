import { fork, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { token, writeTokenFile } from './access.mjs';

export const main = fileURLToPath(new URL('../../../packages/binnacle/bundle/cli/main.js', import.meta.url));
const testBuild = fileURLToPath(new URL('test-build-process.mjs', import.meta.url));

/**
 * A server in its own process that can be killed, stopped, and restarted on the same port over the same data.
 * `build`: `command` is the product as users start it; `test` can also compact on demand and lag.
 */
export class ServerProcess {
  #options;
  #folder = mkdtempSync(join(tmpdir(), 'model-'));
  #child;
  #exited;
  #port = 0;
  #access;
  #errors = '';
  #answers = [];

  /** @param {{ build: 'command' | 'test', store: 'embedded' | 'memory', lagMs?: number, flaky?: boolean, bug?: string, workers?: number, serveArguments?: string[] }} options */
  constructor(options) {
    this.#options = options;
  }

  get durable() {
    return this.#options.store === 'embedded';
  }

  /** Whether its data survives a restart. */
  get restarts() {
    return this.durable;
  }

  get compacts() {
    return this.#options.build === 'test';
  }

  /** The errors that the server has reported. */
  get errors() {
    return this.#errors;
  }

  access() {
    return this.#access;
  }

  async start() {
    const { build, store, lagMs, flaky, bug } = this.#options;
    const dataDirectory = store === 'embedded' ? join(this.#folder, 'data') : undefined;
    if (build === 'test') {
      const options = { folder: this.#folder, dataDirectory, port: this.#port, lagMs, flaky, bug };
      this.#child = fork(testBuild, [JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    } else {
      this.#child = this.#serve(dataDirectory);
    }
    const child = this.#child;
    child.stderr.setEncoding('utf8').on('data', (text) => {
      this.#errors += text;
    });
    this.#exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
    const ready = build === 'test' ? this.#readyByMessage(child) : this.#readyByLines(child);
    const outcome = await Promise.race([ready, this.#exited]);
    if (typeof outcome !== 'object') throw new Error(`the server did not start (${outcome}): ${this.#errors}`);
    this.#port = outcome.port;
    this.#access = outcome.access;
  }

  #serve(dataDirectory) {
    const where = dataDirectory === undefined ? ['--in-memory'] : ['--data-dir', dataDirectory];
    const files = ['--token-auth-file', writeTokenFile(this.#folder), '--write-kubeconfig', this.#kubeconfig()];
    const more = this.#options.serveArguments ?? [];
    // Only the clients may change what they see.
    const parameters = [
      main,
      'serve',
      '--controllers=',
      '--secure-port',
      String(this.#port),
      ...where,
      ...files,
      ...more,
    ];
    return spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
  }

  #kubeconfig() {
    return join(this.#folder, 'kubeconfig');
  }

  #readyByMessage(child) {
    return new Promise((resolve) => {
      child.on('message', (message) => {
        if (message.ready !== undefined) resolve(message.ready);
        else this.#answers.shift()?.(message);
      });
    });
  }

  #readyByLines(child) {
    return new Promise((resolve) => {
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (more) => {
        text += more;
        const url = /^Serving .* at (https:\S+)/m.exec(text)?.[1];
        if (url === undefined || text.split('\n').length < 4) return;
        const authority = /certificate-authority-data: (\S+)/.exec(readFileSync(this.#kubeconfig(), 'utf8'))?.[1] ?? '';
        const ca = Buffer.from(authority.replaceAll('"', ''), 'base64').toString();
        resolve({ port: Number(new URL(url).port), access: { url, ca, token } });
      });
    });
  }

  /** Sends SIGKILL at any moment. */
  async kill() {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** Whether it has worker processes that can be killed one by one. */
  get hasWorkers() {
    return (this.#options.workers ?? 1) > 1 && process.platform === 'linux';
  }

  /** Sends SIGKILL to one of the workers, if there is one. Returns its pid. */
  killWorker(pick) {
    const { pid } = this.#child;
    const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    if (pids.length === 0) return undefined;
    const chosen = Number(pick(pids));
    process.kill(chosen, 'SIGKILL');
    return chosen;
  }

  /** SIGTERM; resolves the exit code. */
  async end() {
    this.#child.kill('SIGTERM');
    return this.#exited;
  }

  pause() {
    this.#child.kill('SIGSTOP');
  }

  resume() {
    this.#child.kill('SIGCONT');
  }

  /**
   * Compacts all but the last `back` revisions; resolves the revision, or undefined if the server could not be asked.
   */
  async compact(back) {
    const { promise, resolve } = deferred();
    this.#answers.push(resolve);
    this.#child.send({ compact: back });
    const answer = await Promise.race([promise, this.#exited]);
    return answer?.compacted;
  }

  /**
   * Saves the disk's content while the server is stopped; `restoreDisk` restores it, like a disk that lied about
   * syncing.
   */
  saveDisk() {
    cpSync(join(this.#folder, 'data'), join(this.#folder, 'saved'), { recursive: true });
  }

  restoreDisk() {
    rmSync(join(this.#folder, 'data'), { recursive: true });
    cpSync(join(this.#folder, 'saved'), join(this.#folder, 'data'), { recursive: true });
  }

  async dispose() {
    if (this.#child?.exitCode === null && this.#child.signalCode === null) await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function deferred() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
