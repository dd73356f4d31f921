import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('loaded-server-process.mjs', import.meta.url));

/** A server over an embedded store full of pods, in a process of its own that measures itself. */
export class LoadedServer {
  url;
  clientConfig;
  #folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  #child;

  /** @param {{ pods: number, bytes: number }} load how many pods, and how large each is, roughly */
  static async start(load) {
    const server = new LoadedServer();
    const options = { dataDirectory: join(server.#folder, 'data'), ...load };
    server.#child = fork(program, [JSON.stringify(options)], {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [ready] = await once(server.#child, 'message');
    server.clientConfig = ready;
    server.url = ready.server;
    return server;
  }

  get alive() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Anonymous memory of the process, bytes: files that are mapped into it do not count. */
  memory() {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  }

  /** Collects the garbage, then starts a new measurement of silences. */
  async settle() {
    this.#child.send('settle');
    await once(this.#child, 'message');
  }

  /** The longest time in milliseconds that the event loop was held since {@link settle}. */
  async silence() {
    this.#child.send('silence');
    const [milliseconds] = await once(this.#child, 'message');
    return milliseconds;
  }

  async stop() {
    if (this.alive) {
      const exited = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await exited;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export const MEGABYTE = 1024 * 1024;
const MEMORY_LIMIT = 300 * MEGABYTE;
/** The goal, which is printed where it is missed. */
const SILENCE_WANTED_MS = 200;
/** On a busy machine the caches are cold, and the CPU time of a turn doubles. */
const SILENCE_LIMIT_MS = 400;

/** Runs the attack; fails when it costs the server more than anything may. */
export async function bounded(test, server, attack) {
  await server.settle();
  const idle = server.memory();
  let highest = idle;
  const sampler = setInterval(() => {
    highest = Math.max(highest, server.memory());
  }, 20);
  let result;
  try {
    result = await attack();
  } finally {
    clearInterval(sampler);
  }
  const silence = await server.silence();
  const grown = Math.round((highest - idle) / MEGABYTE);
  test.diagnostic(
    `${grown} MB above idle, ${silence} ms of silence${silence > SILENCE_WANTED_MS ? ', above the goal' : ''}`,
  );
  assert.ok(server.alive);
  assert.ok(grown * MEGABYTE < MEMORY_LIMIT, `${grown} MB above idle`);
  assert.ok(silence < SILENCE_LIMIT_MS, `${silence} ms of silence`);
  return result;
}
