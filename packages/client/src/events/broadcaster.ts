import { type Clock, Deadline, type Random, systemClock, systemRandom } from '@binnacle/apimachinery/clock';
import { warnOfError } from '../rest/index.js';
import { EventNames, type RecordedEvent, type Reporter } from './event.js';
import { type EventRecorder, SourceRecorder } from './recorder.js';
import { type EventSink, SinkQueue } from './sink.js';

export interface EventBroadcasterOptions {
  /** The number of events that may wait for each sink; further ones are dropped. Default: 1000. */
  readonly capacity?: number;
  /** Called for invalid events and for those that a sink failed to record. Default: emits a process warning. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  readonly random?: Random;
}

const SHUTDOWN_MILLISECONDS = 5000;

/** Passes recorded events to all sinks, each at its own pace. The README has the guarantees. */
export class EventBroadcaster implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #names: EventNames;
  readonly #queues: readonly SinkQueue[];
  readonly #options: EventBroadcasterOptions;
  #shutdown: Promise<void> | undefined;
  #late = 0;

  constructor(sinks: readonly EventSink[], options: EventBroadcasterOptions = {}) {
    const { capacity = 1000, clock = systemClock, random = systemRandom } = options;
    this.#clock = clock;
    this.#names = new EventNames(random);
    this.#options = options;
    this.#queues = sinks.map((sink) => new SinkQueue(sink, capacity, (error) => this.#report(error)));
  }

  /** A recorder whose events have this source. */
  recorder(source: Reporter): EventRecorder {
    return new SourceRecorder(source, {
      clock: this.#clock,
      names: this.#names,
      record: (event) => this.#record(event),
      report: (error) => this.#report(error),
    });
  }

  /** The number of dropped events, summed over the sinks. */
  get dropped(): number {
    return this.#queues.reduce((sum, { dropped }) => sum + dropped, this.#late);
  }

  /** Resolves when the sinks have recorded all events. Rejects with the signal's reason. */
  async flush(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#queues.map((queue) => queue.flush(signal)));
  }

  /** Stops recording, gives the sinks this time for waiting events, then drops the rest. Idempotent; never rejects. */
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
