import type { RecordedEvent } from './event.js';

/** Where events go. */
export interface EventSink {
  /**
   * Takes one event; the next one comes when this one has settled. What it throws is reported. The signal fires when there is no more time: what
   * has not been recorded then is dropped.
   */
  record(event: RecordedEvent, signal: AbortSignal): void | Promise<void>;
}
