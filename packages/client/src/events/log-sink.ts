import { describeEvent, type RecordedEvent } from './event.js';
import type { EventSink } from './sink.js';

/** Writes a line for every event. */
export class LogSink implements EventSink {
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  record(event: RecordedEvent): void {
    this.#write(describeEvent(event));
  }
}
