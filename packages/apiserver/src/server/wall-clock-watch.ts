export interface WallClockWatchOptions {
  readonly wall: () => number;
  readonly steady: () => number;
  /** Called once for each jump. */
  readonly report: (text: string) => void;
}

const INTERVAL_MS = 10_000;
/** Gradual clock adjustments stay below this. */
const SMALLEST_JUMP_MS = 2000;

/** Reports when the wall clock is set or the machine was suspended. Checks every ten seconds until disposed. */
export class WallClockWatch implements Disposable {
  readonly #options: WallClockWatchOptions;
  readonly #timer: NodeJS.Timeout;
  #offset: number;

  constructor(options: WallClockWatchOptions) {
    this.#options = options;
    this.#offset = options.wall() - options.steady();
    this.#timer = setInterval(() => this.look(), INTERVAL_MS);
    this.#timer.unref();
  }

  look(): void {
    const { wall, steady, report } = this.#options;
    const offset = wall() - steady();
    const jump = offset - this.#offset;
    if (Math.abs(jump) < SMALLEST_JUMP_MS) return;
    this.#offset = offset;
    const seconds = Math.round(Math.abs(jump) / 1000);
    report(
      `the wall clock jumped ${seconds} s ${jump > 0 ? 'forward' : 'back'}; ` +
        'lifetimes of events and history go on by the time that has passed',
    );
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
