import { isatty } from 'node:tty';
import { systemClock } from '@binnacle/apimachinery/clock';

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

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

/**
 * The signals that stop a process with these standard streams. A hangup stops one that has a terminal. Others were started by
 * `nohup` or a service manager: Node forgets that `nohup` asked it to ignore hangups, which Go's kube-apiserver respects.
 */
export function stopSignals(isTerminal: (descriptor: number) => boolean): readonly StopSignal[] {
  return [0, 1, 2].some(isTerminal) ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM'];
}

/** Resolves with the first of {@link stopSignals}. A second one, more than a second later, ends the process. */
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
    process.on('SIGHUP', () => undefined);
    for (const signal of stopSignals(isatty)) process.on(signal, () => shutdown.receive(signal));
  });
}
