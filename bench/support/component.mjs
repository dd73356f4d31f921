import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { cpuSecondsOf, memoryBytesOf } from './processes.mjs';
import { root } from './server.mjs';

/** The command of this checkout. */
export const binnacle = [process.execPath, join(root, 'packages/binnacle/bundle/cli/main.js')];

/** A client of a server, in a process of its own. */
export class Component {
  #child;

  /** Its log is in the folder. */
  constructor(name, [program, ...words], folder) {
    this.#child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child.stderr.pipe(createWriteStream(join(folder, `${name}.log`)));
  }

  cpuSeconds() {
    return cpuSecondsOf(this.#child.pid);
  }

  residentBytes() {
    return memoryBytesOf(this.#child.pid, 'VmRSS');
  }

  async stop() {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}
