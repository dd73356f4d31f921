import { JsonWriter } from '@binnacle/apimachinery/json';
import type { AuditEvent } from './event.js';
import { type LogFormat, writeLine } from './line.js';

/** The lines of one write, as bytes: text that waits costs the garbage collector more than its bytes cost. */
export class LineBatch {
  readonly stored: Promise<boolean>;
  /** Called once, when the lines are stored or lost. */
  readonly done: (stored: boolean) => void;
  /** Another batch may use it once the lines are written. */
  readonly writer: JsonWriter;
  /** No more events are gathered before the write. */
  isDue = false;
  #lines = 0;

  constructor(writer = new JsonWriter()) {
    let done = (_stored: boolean): void => undefined;
    this.stored = new Promise((resolve) => {
      done = resolve;
    });
    this.done = done;
    this.writer = writer;
    writer.reset();
  }

  get lines(): number {
    return this.#lines;
  }

  /** In bytes. */
  get length(): number {
    return this.writer.position;
  }

  add(event: AuditEvent, format: LogFormat): void {
    writeLine(this.writer, event, format);
    this.#lines++;
  }
}
