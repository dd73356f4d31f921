import { systemClock } from '@binnacle/apimachinery/clock';

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** Under npm one Ctrl-C arrives twice: from the terminal, and forwarded by npm. */
const duplicateSignalMilliseconds = 1000;

/**
 * Interprets stop signals. The first one begins a graceful shutdown, further ones within a second are duplicates, and a
 * later one ends the process at once.
 */
export class Shutdown {
  readonly #actions: {
    readonly now: () => number;
    readonly begin: () => void;
    readonly abort: (signal: StopSignal) => void;
  };
  #begun: number | undefined;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(actions: { now: () => number; begin: () => void; abort: (signal: StopSignal) => void }) {
    this.#actions = actions;
  }

  receive(signal: StopSignal): void {
    const now = this.#actions.now();
    if (this.#begun === undefined) {
      this.#begun = now;
      this.#actions.begin();
    } else if (now - this.#begun > duplicateSignalMilliseconds) {
      this.#actions.abort(signal);
    }
  }
}

/** Resolves with the first SIGINT or SIGTERM. A second one, more than a second later, ends the process. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const shutdown = new Shutdown({
      now: () => systemClock.monotonic(),
      begin: resolve,
      // `process.exit` would wait for threads that hang.
      abort: (signal) => {
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
      },
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => shutdown.receive(signal));
  });
}
