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

interface Waiting {
  readonly line: string;
  readonly done: (stored: boolean) => void;
}

/**
 * Writes each event as a line, in order. The event that announces a request is written at once, others within milliseconds, and
 * those that arrive during a write together by the next one. An event counts as stored once the operating system has it.
 */
export class LogSink implements AuditSink {
  readonly #options: LogSinkOptions;
  #waiting: Waiting[] = [];
  #waitingSize = 0;
  #writing: Promise<void> | undefined;
  #timer: Timer | undefined;

  constructor(options: LogSinkOptions) {
    this.#options = options;
  }

  take(event: AuditEvent): Promise<boolean> {
    const line = lineOf(event, this.#options.format);
    const { clock, isBatched } = this.#options;
    return new Promise((done) => {
      this.#waiting.push({ line, done });
      this.#waitingSize += line.length;
      const isWaitedFor = isBatched || event.fields.stage === 'RequestReceived';
      if (isWaitedFor || this.#waitingSize > LARGE_WRITE_BYTES) this.#write();
      else this.#timer ??= clock.setTimer(() => this.#write(), GATHERING_MS);
    });
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
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      this.#waitingSize = 0;
      let isStored = true;
      try {
        await target.write(Buffer.from(batch.map(({ line }) => line).join('')));
      } catch (error) {
        isStored = false;
        for (let count = 0; count < batch.length; count++) lost(error);
      }
      for (const { done } of batch) done(isStored || !isStrict);
    }
    this.#writing = undefined;
  }
}
