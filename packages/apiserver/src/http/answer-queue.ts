import type { ResponseStream } from '../request/index.js';
import { clientGone } from './body-writer.js';

/** With so much waiting for its reader, the writer is asked to wait. */
const HIGH_WATER_BYTES = 128 * 1024;

/** The body of an answer between one who writes it and one who reads it, both in this process. */
export class AnswerQueue implements ResponseStream {
  readonly #sent: (bytes: number) => void;
  readonly #onClosed: () => void;
  #chunks: Uint8Array[] = [];
  #pendingBytes = 0;
  #state: 'open' | 'ended' | 'broken' = 'open';
  #reason: unknown = undefined;
  #wakeReader: () => void = ignore;
  readonly #writers = new Set<{ resolve(): void; reject(reason: Error): void }>();

  /** `sent` is told of all bytes; `onClosed` is called once, when the writer has ended or broken it, or the reader has left. */
  constructor(sent: (bytes: number) => void, onClosed: () => void) {
    this.#sent = sent;
    this.#onClosed = onClosed;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** The chunk is the reader's from then on, and must not be written to again. */
  write(chunk: Uint8Array | string): boolean {
    if (this.#state !== 'open') return false;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    this.#chunks.push(bytes);
    this.#pendingBytes += bytes.length;
    this.#sent(bytes.length);
    this.#wakeReader();
    return this.#pendingBytes < HIGH_WATER_BYTES;
  }

  drained(): Promise<void> {
    if (this.#state !== 'open') return Promise.reject(clientGone());
    if (this.#pendingBytes < HIGH_WATER_BYTES) return Promise.resolve();
    return new Promise((resolve, reject) => this.#writers.add({ resolve, reject }));
  }

  end(): void {
    this.#close('ended');
  }

  destroy(): void {
    this.#close('broken', new Error('the server has broken the answer off'));
  }

  /** The reader wants no more; one that still reads is told why. Nothing happens after the end. */
  leave(reason: unknown): void {
    this.#close('broken', reason);
  }

  /** To be read once. Leaving early closes it. */
  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const chunks = this.#take();
        yield* chunks;
        if (chunks.length > 0) continue;
        if (this.#state === 'ended') return;
        if (this.#state === 'broken') throw this.#reason;
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
      }
    } finally {
      this.leave(clientGone());
    }
  }

  #take(): Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#pendingBytes = 0;
    for (const writer of this.#writers) writer.resolve();
    this.#writers.clear();
    return chunks;
  }

  #close(state: 'ended' | 'broken', reason?: unknown): void {
    if (this.#state !== 'open') return;
    this.#state = state;
    this.#reason = reason;
    // What stands before a proper end is still to be read.
    if (state !== 'ended') this.#chunks = [];
    for (const writer of this.#writers) writer.reject(clientGone());
    this.#writers.clear();
    this.#wakeReader();
    this.#onClosed();
  }
}

function ignore(): void {}
