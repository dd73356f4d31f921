import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('server-process.mjs', import.meta.url));

/**
 * A server over the embedded store in its own process. It reports silences of its event loop and uncaught failures.
 */
export class FuzzedServer {
  #folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
  #child;
  #measured = [];
  /** Why the process ended, if it ended unexpectedly. */
  ended;

  /** @param {(finding: { what: string, text: string, at: number }) => void} report called for each silence and uncaught failure */
  async start({ silenceMs, report }) {
    const options = { dataDirectory: join(this.#folder, 'data'), silenceMs };
    this.#child = fork(program, [JSON.stringify(options)], {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let errors = '';
    this.#child.stderr.setEncoding('utf8').on('data', (text) => {
      errors = (errors + text).slice(-10_000);
    });
    const exited = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        this.ended = `${code ?? signal}: ${errors}`;
        resolve(undefined);
      });
    });
    const ready = new Promise((resolve) => {
      this.#child.on('message', (message) => {
        if (message.ready !== undefined) resolve(message.ready);
        if (message.heap !== undefined) this.#measured.shift()?.(message.heap);
        if (message.silence !== undefined)
          report({ what: 'silence', text: `${Math.round(message.silence)} ms`, at: message.until });
        if (message.uncaught !== undefined) report({ what: 'uncaught', text: message.uncaught, at: Date.now() });
      });
    });
    const config = await Promise.race([ready, exited]);
    if (config === undefined) throw new Error(`the server did not start: ${this.ended}`);
    return config;
  }

  /** The bytes in the server's heap and buffers after a collection. */
  measure() {
    return new Promise((resolve) => {
      this.#measured.push(resolve);
      this.#child.send({ measure: true });
    });
  }

  async stop() {
    if (this.#child !== undefined && this.ended === undefined) {
      const exited = new Promise((resolve) => this.#child.once('exit', resolve));
      this.#child.kill('SIGTERM');
      await exited;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
