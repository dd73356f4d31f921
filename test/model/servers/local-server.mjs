import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The test build in this process, over a memory store that survives it: quick to start, for short rounds. It can
 * compact, stop and start again like a server of a remote store, but it cannot be killed.
 *
 * With `replicas`, several servers share the store, and each connection of a client goes to any of them.
 */
export class LocalServer {
  #options;
  #replicas;
  #folder = mkdtempSync(join(tmpdir(), 'model-'));
  #kv;
  /** Undefined for a stopped server. */
  #servers = [];
  #ports = [];
  #turn = 0;
  durable = false;
  compacts = true;
  restarts = true;
  errors = '';

  /** @param {{ lagMs?: number, flaky?: boolean, bug?: string, replicas?: number }} options */
  constructor({ replicas = 1, ...options }) {
    this.#options = options;
    this.#replicas = replicas;
  }

  async start() {
    // Imported on demand: a server in its own process does not need it here.
    const { startTestBuild } = await import('./test-build.mjs');
    const { openMemoryKV } = await import('@binnacle/kv/memory');
    this.#kv ??= openMemoryKV();
    for (let index = 0; index < this.#replicas; index++) {
      if (this.#servers[index] !== undefined) continue;
      const port = this.#ports[index] ?? 0;
      const server = await startTestBuild({ ...this.#options, folder: this.#folder, kv: this.#kv, port });
      this.#servers[index] = server;
      this.#ports[index] = server.port;
    }
  }

  /** Stops one of the servers, in turn; resolves the exit code that a process would have. */
  async end() {
    this.#turn += 1;
    const index = this.#turn % this.#replicas;
    const server = this.#servers[index];
    this.#servers[index] = undefined;
    await server.stop();
    return 0;
  }

  access() {
    this.#turn += 1;
    const running = this.#servers.filter((server) => server !== undefined);
    const server = running[this.#turn % running.length];
    if (server === undefined) throw new Error('no server runs');
    return server.access;
  }

  compact(back) {
    return this.#servers.find((server) => server !== undefined)?.compact(back);
  }

  async dispose() {
    await Promise.all(this.#servers.map((server) => server?.stop()));
    await this.#kv?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
