import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The test build in this process, over a store in memory that outlives it: quick to start, for short rounds. It can
 * compact, and it can end and start again, as a server does whose store is elsewhere; it cannot be killed.
 */
export class LocalServer {
  #options;
  #folder = mkdtempSync(join(tmpdir(), 'model-'));
  #kv;
  #server;
  #port = 0;
  durable = false;
  compacts = true;
  restarts = true;
  errors = '';

  /** @param {{ lagMs?: number, bug?: string }} options */
  constructor(options) {
    this.#options = options;
  }

  async start() {
    // Loaded when it is needed: a server in a process of its own needs none of this here.
    const { startTestBuild } = await import('./test-build.mjs');
    const { openMemoryKV } = await import('@binnacle/kv/memory');
    this.#kv ??= openMemoryKV();
    this.#server = await startTestBuild({ ...this.#options, folder: this.#folder, kv: this.#kv, port: this.#port });
    this.#port = this.#server.port;
  }

  /** Resolves the exit code that a process would have. */
  async end() {
    await this.#server.stop();
    return 0;
  }

  access() {
    return this.#server.access;
  }

  compact(back) {
    return this.#server.compact(back);
  }

  async dispose() {
    await this.#server?.stop();
    await this.#kv?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
