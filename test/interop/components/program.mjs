import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';

/** A process that goes on until it is stopped, and what it says. */
export class Program {
  #child;
  #ended;
  #isStopped = false;

  /** `logFile` gets all that it says, and `environment` is all that it has. */
  constructor(name, command, { logFile, environment = {} }) {
    this.name = name;
    this.logFile = logFile;
    const [program, ...parameters] = command;
    this.#child = spawn(program, parameters, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    });
    const log = createWriteStream(logFile);
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream.pipe(log, { end: false });
    this.#ended = new Promise((done) => {
      this.#child.once('error', (error) => log.end(`${error.message}\n`, () => done('not started')));
      this.#child.once('close', (code, signal) => log.end(() => done(code ?? signal)));
    });
  }

  get #isRunning() {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#child.pid !== undefined;
  }

  /** All that it has said. */
  get said() {
    return readFileSync(this.logFile, 'utf8');
  }

  /** It runs until it is stopped. */
  assertUnbroken() {
    if (!this.#isStopped && !this.#isRunning) assert.fail(`${this.name} has ended:\n${this.said.slice(-4000)}`);
  }

  /** Resolves with the exit code, or the signal that it ended by. */
  stop(signal = 'SIGTERM') {
    this.#isStopped = true;
    this.#child.kill(signal);
    return this.#ended;
  }
}
