import type { ServerResponse } from 'node:http';
import { abortable } from '@binnacle/apimachinery/clock';

/** Writes to a response no faster than its client reads. */
export class PacedWriter {
  readonly #response: ServerResponse;
  readonly #gone: AbortSignal;

  /** `gone` fires when the client has closed the connection, or the server stops. */
  constructor(response: ServerResponse, gone: AbortSignal) {
    this.#response = response;
    this.#gone = gone;
  }

  /** Resolves when more may be written. Rejects when the client is gone. */
  async write(chunk: string | Uint8Array): Promise<void> {
    this.#gone.throwIfAborted();
    if (this.#response.write(chunk)) return;
    let onDrain: () => void = () => undefined;
    const drained = new Promise<void>((resolve) => {
      onDrain = resolve;
    });
    this.#response.once('drain', onDrain);
    try {
      await abortable(drained, this.#gone);
    } finally {
      this.#response.off('drain', onDrain);
    }
  }
}
