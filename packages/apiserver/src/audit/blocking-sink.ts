import { CLOSING_MS } from '@binnacle/apimachinery/batching';
import type { AuditEvent } from './event.js';
import type { AuditSink, AuditTarget } from './sink.js';

/** The size of unsent events, in characters, above which new requests wait. */
const BACKLOG = 8 * 1024 * 1024;

/** Sends each event in its own request, many at the same time. */
export class BlockingSink implements AuditSink {
  readonly #target: AuditTarget;
  readonly #isStrict: boolean;
  readonly #lost: (error: unknown, events: number) => void;
  readonly #sending = new Set<Promise<boolean>>();
  #size = 0;

  /** `isStrict`: a request fails if its first event cannot be sent. `lost` must not throw. */
  constructor(target: AuditTarget, isStrict: boolean, lost: (error: unknown, events: number) => void) {
    this.#target = target;
    this.#isStrict = isStrict;
    this.#lost = lost;
  }

  async take(event: AuditEvent): Promise<boolean> {
    const { length } = event.json;
    const sent = this.#send(event);
    this.#sending.add(sent);
    this.#size += length;
    try {
      return await sent;
    } finally {
      this.#sending.delete(sent);
      this.#size -= length;
    }
  }

  backlog(): Promise<void> | undefined {
    return this.#size > BACKLOG ? this.#untilShort() : undefined;
  }

  /** Waits for the events on their way. */
  async close(withinMs = CLOSING_MS): Promise<void> {
    this.#target.endSoon?.(withinMs);
    await Promise.all(this.#sending);
    await this.#target.close();
  }

  async #untilShort(): Promise<void> {
    while (this.#size > BACKLOG) await Promise.race(this.#sending);
  }

  async #send(event: AuditEvent): Promise<boolean> {
    try {
      await this.#target.send([event]);
      return true;
    } catch (error) {
      this.#lost(error, 1);
      return !this.#isStrict;
    }
  }
}
