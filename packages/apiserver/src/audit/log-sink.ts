import { Buffer } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Timer } from '@binnacle/apimachinery/clock';
import type { AuditEvent } from './event.js';
import { lineOf, type LogFormat } from './line.js';
import type { AuditSink } from './sink.js';

/** Where lines go: one write at a time. */
export interface LineTarget {
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export interface LogSinkOptions {
  readonly target: LineTarget;
  readonly format: LogFormat;
  /** Whether a request fails if its first event cannot be written. */
  readonly isStrict: boolean;
  readonly clock: Clock;
  /** Whether events come in batches, each after the one before is stored. */
  readonly isBatched: boolean;
  /** Called for each event that is lost. Must not throw. */
  readonly lost: (error: unknown) => void;
}

/** A write costs more than an event, so those that no request waits for are gathered. */
const GATHERING_MS = 5;
const LARGE_WRITE_BYTES = 64 * 1024;
/** Waiting lines beyond this size hold up new requests. */
const BACKLOG_BYTES = 8 * 1024 * 1024;

/** The lines of one write. */
interface Batch {
  readonly lines: string[];
  readonly stored: Promise<boolean>;
  readonly done: (stored: boolean) => void;
}

/**
 * Writes each event as a line, in order. The event that announces a request is written at once, others within milliseconds, and
 * those that arrive during a write together by the next one. An event counts as stored once the operating system has it.
 */
export class LogSink implements AuditSink {
  readonly #options: LogSinkOptions;
  #waiting: Batch | undefined;
  #waitingSize = 0;
  #writing: Promise<void> | undefined;
  #timer: Timer | undefined;

  constructor(options: LogSinkOptions) {
    this.#options = options;
  }

  take(event: AuditEvent): Promise<boolean> {
    const line = lineOf(event, this.#options.format);
    const { clock, isBatched } = this.#options;
    this.#waiting ??= newBatch();
    const { lines, stored } = this.#waiting;
    lines.push(line);
    this.#waitingSize += line.length;
    const isWaitedFor = isBatched || event.fields.stage === 'RequestReceived';
    if (isWaitedFor || this.#waitingSize > LARGE_WRITE_BYTES) this.#write();
    else this.#timer ??= clock.setTimer(() => this.#write(), GATHERING_MS);
    return stored;
  }

  backlog(): Promise<void> | undefined {
    return this.#waitingSize > BACKLOG_BYTES ? this.#writing : undefined;
  }

  async close(): Promise<void> {
    this.#write();
    await this.#writing;
    await this.#options.target.close();
  }

  #write(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    const { target, isStrict, lost } = this.#options;
    // Events of one turn of the event loop are written together: a write costs more than an event.
    await nextTurn();
    for (let batch = this.#waiting; batch !== undefined; batch = this.#waiting) {
      this.#waiting = undefined;
      this.#waitingSize = 0;
      let isStored = true;
      try {
        await target.write(Buffer.from(batch.lines.join('')));
      } catch (error) {
        isStored = false;
        for (let count = 0; count < batch.lines.length; count++) lost(error);
      }
      batch.done(isStored || !isStrict);
    }
    this.#writing = undefined;
  }
}

function newBatch(): Batch {
  let done = (_stored: boolean): void => undefined;
  const stored = new Promise<boolean>((resolve) => {
    done = resolve;
  });
  return { lines: [], stored, done };
}
