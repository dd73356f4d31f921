/** The destination of the progress line: standard error. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const TERMINAL_INTERVAL_MS = 100;
const PLAIN_INTERVAL_MS = 5000;

/**
 * Shows the progress of steps. On a terminal it overwrites one line; otherwise it prints a line every few seconds, and
 * nothing for a step that ends earlier.
 */
export class ProgressLine {
  readonly #output: ProgressOutput;
  readonly #now: () => number;
  readonly #interval: number;
  #shownAt: number;
  #shown = false;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(output: ProgressOutput, now: () => number) {
    this.#output = output;
    this.#now = now;
    this.#interval = output.isTTY === true ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS;
    this.#shownAt = now();
  }

  update(step: string, done: number, total: number): void {
    const now = this.#now();
    if (now - this.#shownAt < this.#interval) return;
    this.#shownAt = now;
    const share = total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : 0;
    const text = `${step}: ${done} of ${total} (${share} %)`;
    this.#output.write(this.#output.isTTY === true ? `\r\u001b[K${text}` : `${text}\n`);
    this.#shown = true;
  }

  /** Clears the line on a terminal. */
  end(): void {
    if (this.#shown && this.#output.isTTY === true) this.#output.write('\r\u001b[K');
    this.#shown = false;
  }
}
