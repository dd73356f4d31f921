import { PassThrough } from 'node:stream';
import type { Clock, Timer } from '@binnacle/apimachinery/clock';
import { type CommandStreams, Output, type ProcessEnd, type ProcessSpec } from '../processes/index.js';
import type { MachineProcesses, RunningProcess } from './machine-processes.js';

/** A process that ends when a test says so, when it is asked unless it is stubborn, and when it is killed. */
export class FakeProcess implements RunningProcess {
  readonly spec: ProcessSpec;
  readonly output: Output;
  readonly input = undefined;
  readonly ended: Promise<ProcessEnd>;
  end: ProcessEnd | undefined;
  isEnding = false;
  isStubborn = false;
  readonly #clock: Clock;
  readonly #out = new PassThrough();
  #kill: Timer | undefined;
  #killAt = Infinity;
  #resolve: (end: ProcessEnd) => void = () => undefined;

  constructor(spec: ProcessSpec, clock: Clock) {
    this.spec = spec;
    this.#clock = clock;
    this.output = new Output(clock);
    this.output.collect(this.#out);
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  write(text: string): void {
    this.#out.write(text);
  }

  exit(exitCode: number): void {
    if (this.end !== undefined) return;
    this.#kill?.[Symbol.dispose]();
    this.end = { exitCode, at: this.#clock.now() };
    this.output.complete();
    this.#resolve(this.end);
  }

  /** As with SIGTERM, and SIGKILL after the grace. The earliest time counts. */
  stop(grace: number): void {
    this.isEnding = true;
    if (!this.isStubborn) this.exit(143);
    const killAt = this.#clock.monotonic() + grace;
    if (this.end !== undefined || killAt >= this.#killAt) return;
    this.#killAt = killAt;
    this.#kill?.[Symbol.dispose]();
    this.#kill = this.#clock.setTimer(() => this.exit(137), grace);
  }
}

/** A machine that starts fake processes, and answers commands with what it is told. */
export class FakeMachine implements MachineProcesses {
  readonly started: FakeProcess[] = [];
  isClosed = false;
  answer: { readonly code: number; readonly output?: string } | { readonly problem: string } = { code: 0 };
  /** The latest command. */
  command: readonly string[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async start(spec: ProcessSpec): Promise<FakeProcess> {
    const process = new FakeProcess(spec, this.#clock);
    this.started.push(process);
    return process;
  }

  async run({ command }: Omit<ProcessSpec, 'hasInput'>, { stdout }: CommandStreams, signal: AbortSignal) {
    signal.throwIfAborted();
    this.command = command;
    if ('output' in this.answer) await stdout(Buffer.from(this.answer.output ?? ''));
    return this.answer;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}
