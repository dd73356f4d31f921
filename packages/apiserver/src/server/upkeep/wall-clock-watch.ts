import { type Clock, repeat } from '@binnacle/apimachinery/clock';

export interface WallClockWatchOptions {
  readonly clock: Clock;
  /** Called once for each jump. */
  readonly report: (text: string) => void;
}

const INTERVAL_MS = 10_000;
/** Gradual clock adjustments stay below this. */
const SMALLEST_JUMP_MS = 2000;

/** Reports when the wall clock is set or the machine was suspended. Checks every ten seconds until disposed. */
export class WallClockWatch implements Disposable {
  readonly #options: WallClockWatchOptions;
  readonly #timer: Disposable;
  #offset: number;

  constructor(options: WallClockWatchOptions) {
    this.#options = options;
    const { clock } = options;
    this.#offset = clock.now() - clock.monotonic();
    this.#timer = repeat(clock, INTERVAL_MS, () => this.look());
  }

  look(): void {
    const { clock, report } = this.#options;
    const offset = clock.now() - clock.monotonic();
    const jump = offset - this.#offset;
    if (Math.abs(jump) < SMALLEST_JUMP_MS) return;
    this.#offset = offset;
    const seconds = Math.round(Math.abs(jump) / 1000);
    report(
      `the wall clock jumped ${seconds} s ${jump > 0 ? 'forward' : 'back'}; ` +
        'lifetimes of events and history follow the elapsed time',
    );
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }
}
