import { KVError, type TxnRequest, type TxnResult } from '../interface/index.js';
import type { Backend, Write } from './backend.js';
import { unlessDamaged } from './damage.js';
import { evaluateRound, type Round } from './round.js';

/** Bounds a commit, so that its first writers do not wait for its last ones and the thread is not blocked for long. */
const LARGEST_ROUND = 1024;

interface Waiting {
  readonly request: TxnRequest;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: TxnResult) => void;
  readonly reject: (error: unknown) => void;
}

export interface WriterOptions {
  readonly backend: Backend;
  readonly revision: number;
  readonly now: () => number;
  /** Called before the backend learns of these writes, which may still fail. */
  readonly committing: (writes: readonly Write[]) => void;
  /** Called after a round is durable and before its promises resolve. */
  readonly committed: (round: Round, revision: number) => void;
}

/**
 * The only writer of a store. Transactions that arrive during a commit form the next one (group commit). Housekeeping
 * alternates with commits, one slice at a time.
 */
export class Writer {
  readonly #options: WriterOptions;
  #revision: number;
  #waiting: Waiting[] = [];
  readonly #chores: (() => Promise<void>)[] = [];
  #running: Promise<void> | undefined;
  #inFlight: readonly Write[] = [];
  /** Times in the log do not go down, also when the machine's clock was set back before the store was opened. */
  #lastTime: number;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#revision = options.revision;
    const { backend, revision } = options;
    this.#lastTime = unlessDamaged(() => backend.origin(revision))?.time ?? 0;
  }

  /** The newest committed revision. */
  get revision(): number {
    return this.#revision;
  }

  /** The writes of the commit that runs now. The backend may show them already. */
  get inFlight(): readonly Write[] {
    return this.#inFlight;
  }

  transact(request: TxnRequest, signal?: AbortSignal): Promise<TxnResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, signal, resolve, reject });
      this.#start();
    });
  }

  /** Runs one slice of housekeeping between two rounds. */
  chore(run: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#chores.push(() => run().then(resolve, reject));
      this.#start();
    });
  }

  /**
   * Commits a round of any size as a whole, between two others. `evaluate` runs on the committed state, at the given
   * revision and time. Resolves with the revision after the round.
   */
  async batch(evaluate: (revision: number, time: number) => Round): Promise<number> {
    let revision = 0;
    await this.chore(async () => {
      await this.#append(evaluate(this.#revision, this.#time()));
      revision = this.#revision;
    });
    return revision;
  }

  /** Settles when all work queued so far is decided. */
  async drained(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #start(): void {
    this.#running ??= Promise.resolve()
      .then(() => this.#run())
      .finally(() => {
        this.#running = undefined;
        if (this.#waiting.length > 0 || this.#chores.length > 0) this.#start();
      });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 || this.#chores.length > 0) {
      if (this.#waiting.length > 0) {
        const round = this.#waiting.length <= LARGEST_ROUND ? this.#waiting : this.#waiting.slice(0, LARGEST_ROUND);
        this.#waiting = this.#waiting.length <= LARGEST_ROUND ? [] : this.#waiting.slice(LARGEST_ROUND);
        await this.#commit(round.filter(({ signal }) => signal?.aborted !== true));
      }
      const chore = this.#chores.shift();
      if (chore !== undefined) await chore();
    }
  }

  async #commit(waiting: readonly Waiting[]): Promise<void> {
    if (waiting.length === 0) return;
    const { backend, now } = this.#options;
    let round: Round;
    try {
      const requests = waiting.map(({ request }) => request);
      round = evaluateRound(backend, this.#revision, requests, { now: now(), time: this.#time() });
      await this.#append(round);
    } catch (error) {
      // Parts may fit where the whole does not, and a small write must not fail because of a large one.
      if (waiting.length > 1 && error instanceof KVError && error.code === 'full') {
        const middle = waiting.length >> 1;
        await this.#commit(waiting.slice(0, middle));
        await this.#commit(waiting.slice(middle));
        return;
      }
      for (const { reject } of waiting) reject(error);
      return;
    }
    for (const [index, result] of round.results.entries()) {
      if (result instanceof KVError) waiting[index]?.reject(result);
      else waiting[index]?.resolve(result);
    }
  }
  #time(): number {
    this.#lastTime = Math.max(this.#lastTime, Math.floor(this.#options.now()));
    return this.#lastTime;
  }

  async #append(round: Round): Promise<void> {
    const { backend, committing, committed } = this.#options;
    const last = round.writes.at(-1);
    if (last === undefined) return;
    committing(round.writes);
    this.#inFlight = round.writes;
    try {
      await backend.append(round.writes);
    } finally {
      this.#inFlight = [];
    }
    this.#revision = last.revision;
    committed(round, last.revision);
  }
}
