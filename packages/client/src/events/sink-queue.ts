import { abortable } from '../clock/index.js';
import { describeEvent, type RecordedEvent } from './event.js';
import type { EventSink } from './sink.js';

/** The events that wait for one sink, so many at most. Idle, nothing runs. */
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

  /** Never waits: an event for which there is no place is dropped. Of several in a row, the first is reported. */
  add(event: RecordedEvent): void {
    if (this.#waiting.length >= this.#capacity) {
      this.#dropped++;
      if (!this.#isOverfull)
        this.#report(new Error(`${this.#capacity} events wait to be recorded; others are dropped`));
      this.#isOverfull = true;
      return;
    }
    this.#isOverfull = false;
    this.#waiting.push(event);
    this.#draining ??= this.#drain();
  }

  /** Resolves when the sink has taken all that waits, and rejects with the signal's reason. */
  async flush(signal?: AbortSignal): Promise<void> {
    while (this.#draining !== undefined) await abortable(this.#draining, signal);
  }

  /** Drops what waits, and what the sink is about to record. To be called once, when nothing is added any more. */
  end(): void {
    this.#dropped += this.#waiting.splice(0).length + (this.#isRecording ? 1 : 0);
    this.#ended.abort(new Error('the event broadcaster is shut down'));
  }

  async #drain(): Promise<void> {
    // Who records an event is not to wait until a sink has begun with it.
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
    const why = error instanceof Error ? error.message : String(error);
    this.#report(new Error(`an event was not recorded (${describeEvent(event)}): ${why}`, { cause: error }));
  }
}
