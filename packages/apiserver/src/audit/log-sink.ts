import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Timer } from '@binnacle/apimachinery/clock';
import type { JsonWriter } from '@binnacle/apimachinery/json';
import type { AuditEvent } from './event.js';
import type { LogFormat } from './line.js';
import { LineBatch } from './line-batch.js';
import type { AuditSink } from './sink.js';

/** Where lines go: one write at a time. */
export interface LineTarget {
  /** The bytes may change once the promise has settled. */
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

/** A write costs as much as many events, so those that no request waits for are gathered. A killed server loses them. */
const GATHERING_MS = 25;
const LARGE_WRITE_BYTES = 512 * 1024;
/** Waiting lines beyond this size hold up new requests. */
const BACKLOG_BYTES = 8 * 1024 * 1024;

/**
 * Writes each event as a line, in order. The event that announces a request is written at once, or with the others of its kind that
 * arrive during a write; all other events within milliseconds. An event counts as stored once the operating system has it.
 */
export class LogSink implements AuditSink {
  readonly #options: LogSinkOptions;
  #waiting: LineBatch | undefined;
  /** The writer of a batch that has been written, for the next one. */
  #spare: JsonWriter | undefined;
  #writing: Promise<void> | undefined;
  #timer: Timer | undefined;

  constructor(options: LogSinkOptions) {
    this.#options = options;
  }

  take(event: AuditEvent): Promise<boolean> {
    const { clock, format, isBatched } = this.#options;
    const batch = (this.#waiting ??= this.#newBatch());
    batch.add(event, format);
    const isWaitedFor = isBatched || event.fields.stage === 'RequestReceived';
    if (isWaitedFor || batch.length > LARGE_WRITE_BYTES) this.#write();
    else if (!batch.isDue) this.#timer ??= clock.setTimer(() => this.#write(), GATHERING_MS);
    return batch.stored;
  }

  backlog(): Promise<void> | undefined {
    return (this.#waiting?.length ?? 0) > BACKLOG_BYTES ? this.#writing : undefined;
  }

  async close(): Promise<void> {
    this.#write();
    await this.#writing;
    await this.#options.target.close();
  }

  #write(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    if (this.#waiting !== undefined) this.#waiting.isDue = true;
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    const { target, isStrict, lost } = this.#options;
    // Events of one turn of the event loop are written together: a write costs more than an event.
    await nextTurn();
    for (let batch = this.#waiting; batch?.isDue === true; batch = this.#waiting) {
      this.#waiting = undefined;
      let isStored = true;
      try {
        await target.write(batch.writer.view());
      } catch (error) {
        isStored = false;
        for (let count = 0; count < batch.lines; count++) lost(error);
      }
      batch.done(isStored || !isStrict);
      this.#spare = batch.writer;
    }
    this.#writing = undefined;
  }

  #newBatch(): LineBatch {
    const writer = this.#spare;
    this.#spare = undefined;
    return new LineBatch(writer);
  }
}
