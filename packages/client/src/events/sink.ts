import { abortable } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { describeEvent, type RecordedEvent } from './event.js';

/** A destination of events. */
export interface EventSink {
  /**
   * Records one event. The next call comes when this one has settled. An error is reported. The signal fires at the end of a shutdown, when the
   * event is dropped.
   */
  record(event: RecordedEvent, signal: AbortSignal): void | Promise<void>;
}

/** Writes one line for each event. */
export class LogSink implements EventSink {
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  record(event: RecordedEvent): void {
    this.#write(describeEvent(event));
  }
}

/** A bounded queue of events for one sink. */
export class SinkQueue {
  readonly #sink: EventSink;
  readonly #capacity: number;
  readonly #report: (error: unknown) => void;
  readonly #ended = new AbortController();
  readonly #waiting: RecordedEvent[] = [];
  #draining: Promise<void> | undefined;
  #isRecording = false;
  #isOverfull = false;
  #dropped = 0;

  /** `report` must not throw. */
  constructor(sink: EventSink, capacity: number, report: (error: unknown) => void) {
    this.#sink = sink;
    this.#capacity = capacity;
    this.#report = report;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Never waits. Drops the event if the queue is full, and reports the first drop since the queue was at most half full. */
  add(event: RecordedEvent): void {
    if (this.#waiting.length >= this.#capacity) {
      this.#dropped++;
      if (!this.#isOverfull)
        this.#report(new Error(`${this.#capacity} events are waiting to be recorded; further ones are dropped`));
      this.#isOverfull = true;
      return;
    }
    if (this.#waiting.length <= this.#capacity / 2) this.#isOverfull = false;
    this.#waiting.push(event);
    this.#draining ??= this.#drain();
  }

  /** Resolves when the sink has recorded all waiting events. Rejects with the signal's reason. */
  async flush(signal?: AbortSignal): Promise<void> {
    while (this.#draining !== undefined) await abortable(this.#draining, signal);
  }

  /** Drops waiting events and the one being recorded. Call it once, after the last `add`. */
  end(): void {
    this.#dropped += this.#waiting.splice(0).length + (this.#isRecording ? 1 : 0);
    this.#ended.abort(new Error('the event broadcaster is shut down'));
  }

  async #drain(): Promise<void> {
    // The sink starts in a later microtask, so that recording returns at once.
    await Promise.resolve();
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      this.#isRecording = true;
      try {
        await this.#sink.record(event, this.#ended.signal);
      } catch (error) {
        if (!this.#ended.signal.aborted) this.#refused(event, error);
      }
      this.#isRecording = false;
    }
    this.#draining = undefined;
  }

  #refused(event: RecordedEvent, error: unknown): void {
    this.#dropped++;
    const why = messageOf(error);
    this.#report(new Error(`an event was not recorded (${describeEvent(event)}): ${why}`, { cause: error }));
  }
}
