import type { ChildProcess } from 'node:child_process';
import { type Clock, sleep, type Timer } from '@binnacle/apimachinery/clock';
import { Output } from './output.js';
import { exitCodeOf, type ProcessSpec, sendSignal, startGroup } from './process-group.js';
import type { Reaper } from './reaper.js';
import type { ProcessSystem } from './system.js';

/** How a process has ended. */
export interface ProcessEnd {
  readonly exitCode: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Why the program could not be started. */
  readonly problem?: string;
}

/** The code of a program that could not be started. Upstream: containerd. */
const START_ERROR = 128;
/** How long outputs may stay open after the process and its group have ended, in milliseconds. */
const OUTPUT_GRACE = 1000;

/** The process of a container. Its group ends with it. */
export class ContainerProcess {
  readonly output: Output;
  readonly ended: Promise<ProcessEnd>;
  readonly #clock: Clock;
  readonly #system: ProcessSystem;
  readonly #child: ChildProcess | undefined;
  #end: ProcessEnd | undefined;
  #kill: Timer | undefined;
  /** When the group is killed, on the monotonic clock. */
  #killAt = Infinity;
  #isEnding = false;

  /** Starts the process. One that cannot start counts as ended. */
  static async start(spec: ProcessSpec, reaper: Reaper, clock: Clock): Promise<ContainerProcess> {
    return new ContainerProcess(await startGroup(spec, reaper), reaper, clock);
  }

  private constructor(started: Awaited<ReturnType<typeof startGroup>>, reaper: Reaper, clock: Clock) {
    this.#clock = clock;
    this.#system = reaper.system;
    this.output = new Output(clock);
    this.#child = 'child' in started ? started.child : undefined;
    for (const stream of [this.#child?.stdout, this.#child?.stderr]) {
      if (stream !== undefined && stream !== null) this.output.collect(stream);
    }
    this.#child?.stdin?.on('error', () => undefined);
    if ('problem' in started) {
      this.#end = { exitCode: START_ERROR, at: clock.now(), problem: started.problem };
      this.output.complete();
      this.ended = Promise.resolve(this.#end);
    } else this.ended = this.#wait(started.child, reaper);
  }

  /** Undefined: it runs. */
  get end(): ProcessEnd | undefined {
    return this.#end;
  }

  /** Whether it has been told to end. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Undefined: it has none. */
  get input(): NodeJS.WritableStream | undefined {
    return this.#child?.stdin ?? undefined;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Asks the process to end, and kills its group after this many milliseconds. The earliest time counts. */
  stop(grace: number): void {
    const child = this.#child;
    const killAt = this.#clock.monotonic() + grace;
    if (this.#end !== undefined || child === undefined || killAt >= this.#killAt) return;
    if (!this.#isEnding) sendSignal(this.#system, child, 'SIGTERM', 'process');
    this.#isEnding = true;
    this.#killAt = killAt;
    this.#kill?.[Symbol.dispose]();
    this.#kill = this.#clock.setTimer(() => sendSignal(this.#system, child, 'SIGKILL', 'group'), grace);
  }

  async #wait(child: ChildProcess, reaper: Reaper): Promise<ProcessEnd> {
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const exitCode = await exitCodeOf(child);
    const at = this.#clock.now();
    // A container ends with its first process.
    sendSignal(this.#system, child, 'SIGKILL', 'group');
    reaper.remove(child.pid ?? 0);
    this.#kill?.[Symbol.dispose]();
    await Promise.race([closed, sleep(this.#clock, OUTPUT_GRACE)]);
    this.output.complete();
    this.#end = { exitCode, at };
    return this.#end;
  }
}
