import { formatTime } from '@binnacle/apimachinery/time';
import type { Clock } from '@binnacle/apimachinery/clock';
import {
  type EventNames,
  type EventSubject,
  type EventType,
  type RecordedEvent,
  referenceTo,
  type Reporter,
} from './event.js';

/** Records events about objects. */
export interface EventRecorder {
  /**
   * Returns at once and never throws: failures go to the broadcaster's `onError`. The event is in the object's namespace, or in `default` for
   * cluster-scoped objects.
   */
  event(object: EventSubject, type: EventType, reason: string, message: string, options?: EventOptions): void;
}

export interface EventOptions {
  readonly annotations?: { readonly [key: string]: string };
}

export interface RecorderParts {
  readonly clock: Clock;
  readonly names: EventNames;
  record(event: RecordedEvent): void;
  report(error: unknown): void;
}

/** Records with one source. */
export class SourceRecorder implements EventRecorder {
  readonly #source: Reporter;
  readonly #parts: RecorderParts;

  constructor(source: Reporter, parts: RecorderParts) {
    this.#source = source;
    this.#parts = parts;
  }

  event(object: EventSubject, type: EventType, reason: string, message: string, options: EventOptions = {}): void {
    try {
      this.#parts.record(this.#eventOf(object, type, reason, message, options));
    } catch (error) {
      this.#parts.report(error);
    }
  }

  #eventOf(
    object: EventSubject,
    type: EventType,
    reason: string,
    message: string,
    { annotations }: EventOptions,
  ): RecordedEvent {
    const involvedObject = referenceTo(object);
    const now = this.#parts.clock.now();
    const { namespace = '', name } = involvedObject;
    const time = formatTime(now);
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        name: this.#parts.names.next(name, now),
        namespace: namespace === '' ? 'default' : namespace,
        ...(annotations === undefined ? {} : { annotations }),
      },
      involvedObject,
      type,
      reason,
      message,
      source: this.#source,
      reportingComponent: this.#source.component,
      reportingInstance: this.#source.host ?? '',
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    };
  }
}
