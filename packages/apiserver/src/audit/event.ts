import { type JsonWriter, writeJsonText } from '@binnacle/apimachinery/json';
import { writeEvent } from './write-event.js';
import type { EventFields } from './event-fields.js';

const TRUE = { value: 'true', level: 'Metadata' } as const;

/** One event, which never changes; but when its JSON is made, its fields lose the bodies. Upstream: audit.k8s.io/v1 `Event`. */
export class AuditEvent {
  #fields: EventFields;
  #json: string | undefined;

  constructor(fields: EventFields) {
    this.#fields = fields;
  }

  /** Without the bodies once {@link json} has been read, because many events with megabytes of them may wait. */
  get fields(): EventFields {
    return this.#fields;
  }

  /** Compact JSON with the fields in upstream's order. Made once. */
  get json(): string {
    if (this.#json === undefined) {
      const { requestObject, responseObject } = this.#fields;
      this.#json = writeJsonText((writer) => writeEvent(writer, this.#fields));
      if (requestObject !== undefined || responseObject !== undefined) this.#fields = withoutBodies(this.#fields);
    }
    return this.#json;
  }

  /** Writes {@link json} without keeping it. */
  writeTo(writer: JsonWriter): void {
    if (this.#json === undefined) writeEvent(writer, this.#fields);
    else writer.text(this.#json);
  }

  /** The same event without the bodies of request and response, and with an annotation that says so. */
  truncated(): AuditEvent {
    const annotations = new Map(this.#fields.annotations).set('audit.k8s.io/truncated', TRUE);
    return new AuditEvent({ ...withoutBodies(this.#fields), annotations });
  }
}

function withoutBodies(fields: EventFields): EventFields {
  return { ...fields, requestObject: undefined, responseObject: undefined };
}
