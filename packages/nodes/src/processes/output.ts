import { StringDecoder } from 'node:string_decoder';
import type { Clock } from '@binnacle/apimachinery/clock';
import { pause } from '@binnacle/apimachinery/turns';
import type { LogLine, ReadableLog } from '../logs/index.js';

/** How much of a run is kept, in characters and the costs of lines. Older lines are dropped. */
const MOST_KEPT = 1 << 20;
/** What a line costs besides its characters, so that many short lines do not take more memory. */
const LINE_COST = 64;
/** A longer line is kept in pieces, as container runtimes do. */
const LONGEST_LINE = 16_384;

/** What a process writes: the latest lines of both outputs, each with its time. */
export class Output implements ReadableLog {
  readonly #clock: Clock;
  readonly #lines: LogLine[] = [];
  /** How many lines have been dropped, so that each keeps its number. */
  #dropped = 0;
  /** Of the first kept line in `#lines`. */
  #first = 0;
  #kept = 0;
  #isComplete = false;
  #changed = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Collects a stream until it ends. Streams may be mixed at the ends of lines. A process that writes much waits for other work. */
  collect(stream: NodeJS.ReadableStream): void {
    void this.#read(stream);
  }

  async #read(stream: NodeJS.ReadableStream): Promise<void> {
    const decoder = new StringDecoder();
    let rest = '';
    try {
      for await (const bytes of stream) {
        const lines = `${rest}${decoder.write(Buffer.from(bytes))}`.split('\n');
        rest = lines.pop() ?? '';
        this.#add(lines, false);
        if (rest.length >= LONGEST_LINE) {
          this.#add([rest], true);
          rest = '';
        }
        this.#wake();
        await pause();
      }
    } catch {
      // What has arrived is kept.
    }
    rest += decoder.end();
    if (rest !== '') this.#add([rest], true);
    this.#wake();
  }

  /** No line follows. */
  complete(): void {
    this.#isComplete = true;
    this.#wake();
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  countAt(): number {
    return this.#dropped + this.#lines.length - this.#first;
  }

  firstSince(time: number): number {
    let index = this.#first;
    while (index < this.#lines.length && (this.#lines[index]?.at ?? Infinity) < time) index++;
    return this.#dropped + index - this.#first;
  }

  /** An empty piece for a line that has been dropped. */
  line(index: number): LogLine {
    const kept = index < this.#dropped ? undefined : this.#lines[this.#first + index - this.#dropped];
    return kept ?? { at: 0, text: '', isPartial: true };
  }

  timeOf(index: number): number {
    return index < this.countAt() ? this.line(index).at : Infinity;
  }

  /** The number of the first line that is kept. */
  get firstKept(): number {
    return this.#dropped;
  }

  /** The last characters, for the message of an end. */
  tail(characters: number): string {
    let text = '';
    for (let index = this.#lines.length - 1; index >= this.#first && text.length < characters; index--) {
      const { text: line = '', isPartial = false } = this.#lines[index] ?? {};
      text = `${line}${isPartial ? '' : '\n'}${text}`;
    }
    return text.slice(-characters);
  }

  /** Resolves when there is more, or there will be no more, or the signal fires. */
  change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#changed.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      if (signal.aborted || this.#isComplete) return resolve();
      this.#changed.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  #add(texts: readonly string[], isPartial: boolean): void {
    const at = this.#clock.now();
    for (const text of texts) this.#addPieces(text, at, isPartial);
    this.#drop();
  }

  #addPieces(text: string, at: number, isPartial: boolean): void {
    for (let start = 0; start === 0 || start < text.length; start += LONGEST_LINE) {
      const piece = text.slice(start, start + LONGEST_LINE);
      const isCut = start + LONGEST_LINE < text.length;
      this.#lines.push({ at, text: piece, ...(isPartial || isCut ? { isPartial: true } : {}) });
      this.#kept += piece.length + LINE_COST;
    }
  }

  #drop(): void {
    while (this.#kept > MOST_KEPT) {
      this.#kept -= (this.#lines[this.#first]?.text.length ?? 0) + LINE_COST;
      this.#first++;
      this.#dropped++;
    }
    // Moving the others costs as much as there are of them.
    if (this.#first < this.#lines.length / 2) return;
    this.#lines.splice(0, this.#first);
    this.#first = 0;
  }

  #wake(): void {
    for (const done of this.#changed) done();
  }
}
