import { Backoff, type Clock, type Random, sleep } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import type { Log } from '@binnacle/apimachinery/logging';
import type { Socket } from 'node:net';
import type { WorkerCalls } from './calls.js';
import type { SharedListener } from './shared-listener.js';
import { untilSilent } from './silence.js';

/** The pauses before a worker is started again. */
const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;
const JITTER = 0.2;
/** A worker that has served this long did not fail at its start. */
const LASTING_MS = 60_000;

/** A running worker process. */
export interface WorkerProcess {
  readonly pid: number;
  /** Rejects when the process ends. */
  call<Name extends keyof WorkerCalls>(
    name: Name,
    argument: WorkerCalls[Name]['argument'],
    socket?: Socket,
  ): Promise<WorkerCalls[Name]['answer']>;
  /** Resolves when the process has ended, with how: `signal SIGKILL`. */
  readonly ended: Promise<string>;
  /** By SIGKILL. */
  kill(): void;
}

export interface WorkerPoolOptions {
  readonly count: number;
  /** Receives the workers that serve, and those that do not any more. */
  readonly listener: Pick<SharedListener, 'join' | 'leave'>;
  /** Starts the process of a worker. */
  readonly spawn: () => WorkerProcess;
  /** What each worker gets to begin. */
  readonly start: WorkerCalls['start']['argument'];
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Keeps a number of workers running: one that ends is started again, after a pause that grows while it fails. One that hangs is
 * ended.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #stopping = new AbortController();
  readonly #processes = new Map<number, WorkerProcess>();
  /** Those that serve. */
  readonly #serving = new Map<number, WorkerProcess>();
  readonly #keeping: Promise<void>[] = [];

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Starts all workers. Rejects with the failure of the first one that cannot start; the caller then kills the others. */
  async start(): Promise<void> {
    await Promise.all(
      this.#indexes().map(
        (index) =>
          new Promise<void>((resolve, reject) => {
            this.#keeping.push(this.#keep(index, resolve, reject));
          }),
      ),
    );
  }

  /** Throws if a worker is not serving. */
  check(): void {
    const missing = this.#indexes().filter((index) => !this.#serving.has(index));
    if (missing.length === 0) return;
    throw new Error(`worker ${missing.join(', ')} of ${this.#options.count} is being started again`);
  }

  /** Settles when all workers have seen what the store has now. */
  async catchUp(): Promise<void> {
    await this.#eachReady((worker) => worker.call('catchUp', undefined));
  }

  async announceStop(): Promise<void> {
    await this.#eachReady((worker) => worker.call('announceStop', undefined));
  }

  /** The metrics of the workers that answer. */
  async metrics(path: string): Promise<readonly { readonly index: number; readonly text: string }[]> {
    const texts = await Promise.all(
      [...this.#serving]
        .sort(([one], [other]) => one - other)
        .map(async ([index, worker]) => {
          const text = await worker.call('metrics', path).catch(() => undefined);
          return text === undefined ? [] : [{ index, text }];
        }),
    );
    return texts.flat();
  }

  /** Lets the workers finish their requests, and settles when all processes have ended. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the server is stopping'));
    for (const [index, worker] of this.#processes) if (!this.#serving.has(index)) worker.kill();
    await this.#eachReady((worker) => worker.call('stop', undefined));
    await Promise.all(this.#keeping);
  }

  /** Ends all processes at once. Settles when they have ended. */
  async kill(): Promise<void> {
    this.#stopping.abort(new Error('the server could not start'));
    for (const worker of this.#processes.values()) worker.kill();
    await Promise.all(this.#keeping);
  }

  /** A worker that ends meanwhile needs nothing any more. */
  async #eachReady(act: (worker: WorkerProcess) => Promise<unknown>): Promise<void> {
    await Promise.all(Array.from(this.#serving.values(), (worker) => act(worker).catch(() => undefined)));
  }

  #indexes(): number[] {
    return Array.from({ length: this.#options.count }, (_, index) => index + 1);
  }

  async #keep(index: number, started: () => void, failed: (error: unknown) => void): Promise<void> {
    const { clock, random, log } = this.#options;
    const backoff = new Backoff({
      initial: SHORTEST_PAUSE_MS,
      maximum: LONGEST_PAUSE_MS,
      jitter: { share: JITTER, random },
    });
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const began = clock.monotonic();
      const end = await this.#runOnce(index, started, failed);
      if (signal.aborted) return;
      if (clock.monotonic() - began > LASTING_MS) backoff.reset();
      const pause = Math.round(backoff.next());
      log.error('workers', 'A worker has ended and is started again', end.how, [
        ['worker', index],
        ['pid', end.pid],
        ['pauseMs', pause],
      ]);
      await sleep(clock, pause, signal).catch(() => undefined);
    }
  }

  async #runOnce(
    index: number,
    started: () => void,
    failed: (error: unknown) => void,
  ): Promise<{ readonly pid: number; readonly how: string }> {
    const { spawn, start, listener, clock } = this.#options;
    const worker = spawn();
    const { pid } = worker;
    this.#processes.set(index, worker);
    let reason: string | undefined;
    const ended = new AbortController();
    try {
      await Promise.race([worker.call('start', start), worker.ended.then(unserved)]);
      this.#serving.set(index, worker);
      listener.join(worker);
      started();
      const hangs = (): void => {
        reason = 'it has not answered for a minute';
        worker.kill();
      };
      const over = AbortSignal.any([ended.signal, this.#stopping.signal]);
      untilSilent(() => worker.call('alive', undefined), clock, over).then(hangs, () => undefined);
    } catch (error) {
      reason = messageOf(error);
      failed(error);
      worker.kill();
    }
    const how = await worker.ended;
    ended.abort();
    listener.leave(worker);
    this.#serving.delete(index);
    this.#processes.delete(index);
    return { pid, how: reason ?? how };
  }
}

function unserved(how: string): never {
  throw new Error(`it has ended before it served: ${how}`);
}
