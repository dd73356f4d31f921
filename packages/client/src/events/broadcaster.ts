import { type Clock, Deadline, systemClock } from '../clock/index.js';
import { warnOfError } from '../rest/index.js';
import type { RecordedEvent, Reporter } from './event.js';
import { EventNames } from './event-names.js';
import { type EventRecorder, SourceRecorder } from './recorder.js';
import type { EventSink } from './sink.js';
import { SinkQueue } from './sink-queue.js';

export interface EventBroadcasterOptions {
  /** How many events wait for each sink; those beyond are dropped. Default: 1000. */
  readonly capacity?: number;
  /** Hears of events that could not be made, and of those that a sink could not take. Default: a warning of this process. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  /** From 0 to below 1. Default: Math.random. */
  readonly random?: () => number;
}

const SHUTDOWN_MILLISECONDS = 5000;

/** Gives what recorders record to all sinks, each at its own pace. See the README for what it promises. */
export class EventBroadcaster implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #names: EventNames;
  readonly #queues: readonly SinkQueue[];
  readonly #options: EventBroadcasterOptions;
  #shutdown: Promise<void> | undefined;
  #late = 0;

  constructor(sinks: readonly EventSink[], options: EventBroadcasterOptions = {}) {
    const { capacity = 1000, clock = systemClock, random } = options;
    this.#clock = clock;
    this.#names = new EventNames(random);
    this.#options = options;
    this.#queues = sinks.map((sink) => new SinkQueue(sink, capacity, (error) => this.#report(error)));
  }

  /** Records on behalf of a component, which people see as the event's source. */
  recorder(source: Reporter): EventRecorder {
    return new SourceRecorder(source, {
      clock: this.#clock,
      names: this.#names,
      record: (event) => this.#record(event),
      report: (error) => this.#report(error),
    });
  }

  /** How many events did not get to a sink, counted for each sink. */
  get dropped(): number {
    return this.#queues.reduce((sum, { dropped }) => sum + dropped, this.#late);
  }

  /** Resolves when the sinks have taken all that was recorded. Rejects with the signal's reason. */
  async flush(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#queues.map((queue) => queue.flush(signal)));
  }

  /** Records nothing from now on, gives the sinks so many milliseconds for what waits, and drops the rest. Idempotent; never rejects. */
  shutDown(milliseconds = SHUTDOWN_MILLISECONDS): Promise<void> {
    this.#shutdown ??= this.#end(milliseconds);
    return this.#shutdown;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.shutDown();
  }

  async #end(milliseconds: number): Promise<void> {
    using deadline = new Deadline(this.#clock, milliseconds, undefined, 'recording the last events');
    await this.flush(deadline.signal).catch(() => undefined);
    for (const queue of this.#queues) queue.end();
  }

  #record(event: RecordedEvent): void {
    if (this.#shutdown !== undefined) this.#late += this.#queues.length;
    else for (const queue of this.#queues) queue.add(event);
  }

  #report(error: unknown): void {
    const { onError = warnOfError } = this.#options;
    try {
      onError(error);
    } catch (thrown) {
      warnOfError(thrown);
    }
  }
}
