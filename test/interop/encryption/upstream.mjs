import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cache, goEnvironment, here, run } from '../programs.mjs';

/** The program of this folder, which stores and reads values as kube-apiserver does. */
export class Upstream {
  #child;
  #lines;

  /** `file`: its EncryptionConfiguration. */
  static async start(file) {
    const program = join(cache, 'go/encryption');
    await run('go', ['build', '-p', '2', '-o', program, '.'], { cwd: join(here, 'encryption'), env: goEnvironment });
    const upstream = new Upstream();
    upstream.#child = spawn(program, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
    upstream.#lines = createInterface({ input: upstream.#child.stdout })[Symbol.asyncIterator]();
    await upstream.#line();
    return upstream;
  }

  /** Resolves to `{ value }`, with `stale`, or to `{ error }`. */
  async ask({ value, ...request }) {
    this.#child.stdin.write(`${JSON.stringify({ ...request, value: value.toString('base64') })}\n`);
    const answer = JSON.parse(await this.#line());
    return 'error' in answer ? answer : { ...answer, value: Buffer.from(answer.value ?? '', 'base64') };
  }

  async stop() {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
  }

  async #line() {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the program has ended');
    return value;
  }
}
