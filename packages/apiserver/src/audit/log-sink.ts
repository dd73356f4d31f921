import { Buffer } from 'node:buffer';
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
  /** Called for each event that is lost. Must not throw. */
  readonly lost: (error: unknown) => void;
}

/** Waiting lines beyond this size hold up new requests. */
const BACKLOG_BYTES = 8 * 1024 * 1024;

interface Waiting {
  readonly line: string;
  readonly done: (stored: boolean) => void;
}

/**
 * Writes each event as a line, in order. Events that arrive during a write are written together by the next one. An event
 * counts as stored once the operating system has it.
 */
export class LogSink implements AuditSink {
  readonly #options: LogSinkOptions;
  #waiting: Waiting[] = [];
  #waitingSize = 0;
  #writing: Promise<void> | undefined;

  constructor(options: LogSinkOptions) {
    this.#options = options;
  }

  take(event: AuditEvent): Promise<boolean> {
    const line = lineOf(event, this.#options.format);
    return new Promise((done) => {
      this.#waiting.push({ line, done });
      this.#waitingSize += line.length;
      this.#writing ??= this.#writeAll();
    });
  }

  backlog(): Promise<void> | undefined {
    return this.#waitingSize > BACKLOG_BYTES ? this.#writing : undefined;
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#options.target.close();
  }

  async #writeAll(): Promise<void> {
    const { target, isStrict, lost } = this.#options;
    // Events of one turn are written together.
    await Promise.resolve();
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
