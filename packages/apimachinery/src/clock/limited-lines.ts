import type { Clock } from './clock.js';
import { TokenBucket } from './token-bucket.js';

/** Of 4 KiB each, that is 3.5 GB a day. */
const LINES = { qps: 10, burst: 1000 };
/** In UTF-16 code units. A stack trace is shorter. */
const LONGEST = 4 * 1024;

/**
 * Writes lines of a log at a bounded rate, because clients can provoke them: 1000 at once, and ten a second after that. Cuts
 * long lines. The first line after dropped ones says how many they were.
 */
export class LimitedLines {
  readonly #write: (text: string) => void;
  readonly #bucket: TokenBucket;
  #dropped = 0;

  /** `write` gets each line with its line break. It must not throw. */
  constructor(clock: Clock, write: (text: string) => void) {
    this.#write = write;
    this.#bucket = new TokenBucket(LINES, clock);
  }

  /** `line` has no line break at its end, but may have some inside. */
  write(line: string): void {
    if (!this.#bucket.tryTake()) {
      this.#dropped++;
      return;
    }
    const dropped =
      this.#dropped === 0 ? '' : `${this.#dropped} lines were dropped: the log is limited to ${LINES.qps} a second\n`;
    this.#dropped = 0;
    this.#write(`${dropped}${line.length > LONGEST ? `${line.slice(0, LONGEST)}...` : line}\n`);
  }
}
