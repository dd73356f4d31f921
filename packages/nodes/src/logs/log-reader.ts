import type { LogQuery } from './log-query.js';
import { logTime, type ReadableLog } from './run-log.js';

/** The approximate number of characters in one piece. */
const PIECE = 16_384;

/** Reads a log in pieces. It keeps its place while the container runs. */
export class LogReader {
  readonly #query: LogQuery;
  #next: number;
  #bytesLeft: number;
  #continues = false;

  /** `now`: when the request came, in milliseconds since the epoch. */
  constructor(log: ReadableLog, query: LogQuery, now: number) {
    this.#query = query;
    const { tailLines, since, limitBytes = Infinity } = query;
    this.#next = Math.max(
      tailLines === undefined ? 0 : Math.max(0, log.countAt(now) - tailLines),
      since === undefined ? 0 : log.firstSince(since),
    );
    this.#bytesLeft = limitBytes;
  }

  /** The client has all the bytes that it asked for. */
  get isFull(): boolean {
    return this.#bytesLeft <= 0;
  }

  /** Bytes of the next lines that have been written by now; undefined: there are none yet. */
  read(log: ReadableLog, now: number): Buffer | undefined {
    const count = log.countAt(now);
    let text = '';
    this.#next = Math.max(this.#next, log.firstKept);
    while (this.#next < count && text.length < PIECE && !this.isFull) {
      const { at, text: line, isPartial = false } = log.line(this.#next++);
      text += `${this.#query.timestamps && !this.#continues ? `${logTime(at)} ` : ''}${line}${isPartial ? '' : '\n'}`;
      this.#continues = isPartial;
    }
    if (text === '') return undefined;
    const bytes = Buffer.from(text);
    const piece = bytes.length <= this.#bytesLeft ? bytes : bytes.subarray(0, this.#bytesLeft);
    this.#bytesLeft -= piece.length;
    return piece;
  }

  /** When the next line will be written, in milliseconds since the epoch; Infinity: never, as far as the log knows. */
  nextTime(log: ReadableLog): number {
    return log.timeOf(this.#next);
  }
}
