import { fork } from 'node:child_process';
import { once } from 'node:events';
import { HostileClient } from './client.mjs';

/** A server in another process, and a client of it. */
export class MeasuredServer {
  #process;
  client;

  static async start() {
    const server = new MeasuredServer();
    server.#process = fork(new URL('./measured-server.mjs', import.meta.url), { execArgv: ['--expose-gc'] });
    const [message] = await once(server.#process, 'message');
    server.client = new HostileClient(message);
    return server;
  }

  /** Answers what `work` does, with the longest silence in milliseconds and the rise in memory in bytes. */
  async measure(work) {
    await this.#ask('reset');
    const answer = await work();
    return { answer, ...(await this.#ask('report')) };
  }

  async #ask(question) {
    if (this.#process.exitCode !== null || !this.#process.connected) throw new Error('the server has ended');
    const stop = new AbortController();
    const { signal } = stop;
    this.#process.send(question);
    const answered = once(this.#process, 'message', { signal });
    const ended = once(this.#process, 'exit', { signal });
    try {
      const [report] = await Promise.race([
        answered,
        ended.then(() => Promise.reject(new Error('the server has ended'))),
      ]);
      return report;
    } finally {
      stop.abort();
      await Promise.allSettled([answered, ended]);
    }
  }

  kill() {
    this.#process.kill('SIGKILL');
  }

  async stop() {
    if (this.#process.exitCode !== null) return;
    this.#process.send('stop');
    await once(this.#process, 'exit');
  }
}
