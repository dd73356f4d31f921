import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HostileClient } from './client.mjs';

export const MEGABYTE = 1024 * 1024;
/** The goal; longer silences are printed. */
export const SILENCE_WANTED_MS = 200;
/** The limit, because on a busy machine caches are cold and the CPU time of a turn doubles. */
export const SILENCE_LIMIT_MS = 400;
const MEMORY_LIMIT = 300 * MEGABYTE;
const SAMPLE_MS = 5;
const program = fileURLToPath(new URL('./measured-server-process.mjs', import.meta.url));

/** A server in its own process that reports the longest silence of its event loop, and a client for it. */
export class MeasuredServer {
  client;
  #folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  #child;

  /**
   * The embedded store starts with `pods` of `bytes` each; without pods the store is in memory. `nodeOptions` are
   * flags of its Node.js.
   */
  static async start({ pods = 0, bytes = 1000, maxMemoryBytes, nodeOptions = ['--expose-gc'] } = {}) {
    const server = new MeasuredServer();
    const options = { directory: server.#folder, pods, bytes, maxMemoryBytes };
    server.#child = fork(program, [JSON.stringify(options)], {
      execArgv: nodeOptions,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    server.client = new HostileClient(await server.#message());
    return server;
  }

  get alive() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Anonymous memory of the process in bytes, without mapped files. 0 on systems that do not report it. */
  memory() {
    const file = `/proc/${this.#child.pid}/status`;
    if (!existsSync(file)) return 0;
    return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) * 1024;
  }

  /** Collects garbage, then starts a new measurement of silences. */
  async settle() {
    await this.#ask('settle');
  }

  /**
   * Returns the result of `work`, with the longest silence in milliseconds and the largest growth of memory in bytes.
   */
  async measure(work) {
    await this.settle();
    const before = this.memory();
    let highest = before;
    const sampler = setInterval(() => {
      highest = Math.max(highest, this.memory());
    }, SAMPLE_MS);
    try {
      const answer = await work();
      return { answer, silence: Math.round(await this.#ask('silence')), memory: highest - before };
    } finally {
      clearInterval(sampler);
    }
  }

  /** Returns the result of `attack`; fails when it costs the server more than the limits. `limit`: of memory, in bytes. */
  async bounded(test, attack, limit = MEMORY_LIMIT) {
    const { answer, silence, memory } = await this.measure(attack);
    const grown = Math.round(memory / MEGABYTE);
    const above = silence > SILENCE_WANTED_MS ? ', above the goal' : '';
    test.diagnostic(`${grown} MB above idle, ${silence} ms of silence${above}`);
    assert.ok(memory < limit, `${grown} MB above idle`);
    assert.ok(silence < SILENCE_LIMIT_MS, `${silence} ms of silence`);
    return answer;
  }

  async stop() {
    if (this.alive) {
      const exited = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await exited;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #ask(question) {
    if (!this.alive || !this.#child.connected) throw new Error('the server has ended');
    this.#child.send(question);
    return this.#message();
  }

  async #message() {
    const stop = new AbortController();
    const { signal } = stop;
    const answered = once(this.#child, 'message', { signal });
    const ended = once(this.#child, 'exit', { signal }).then(() => Promise.reject(new Error('the server has ended')));
    try {
      const [message] = await Promise.race([answered, ended]);
      return message;
    } finally {
      stop.abort();
      await Promise.allSettled([answered, ended]);
    }
  }
}
