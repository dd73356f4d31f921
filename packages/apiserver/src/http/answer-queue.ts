import type { ResponseStream } from '../request/index.js';
import { ownTurn } from '../slices/index.js';
import { clientGone, joined } from './body-writer.js';

/** When this much waits for the reader, the writer must wait. */
const HIGH_WATER_BYTES = 128 * 1024;

/** A reader in this process takes about a millisecond to decode so much, and gets more in a turn of its own. */
export const LONG_BYTES = 64 * 1024;

/** Queues the body of an answer between a writer and a reader in this process. */
export class AnswerQueue implements ResponseStream {
  readonly #sent: (bytes: number) => void;
  readonly #onClosed: () => void;
  #chunks: Uint8Array[] = [];
  #pendingBytes = 0;
  #state: 'open' | 'ended' | 'broken' = 'open';
  #reason: unknown = undefined;
  #wakeReader: () => void = ignore;
  readonly #writers = new Set<{ resolve(): void; reject(reason: Error): void }>();

  /** Calls `sent` for all bytes, and `onClosed` once: when the writer ends or destroys the queue, or the reader leaves. */
  constructor(sent: (bytes: number) => void, onClosed: () => void) {
    this.#sent = sent;
    this.#onClosed = onClosed;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** The reader owns the chunk afterwards; the caller must not change it. */
  write(chunk: Uint8Array | string): boolean {
    if (this.#state !== 'open') return false;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    this.#chunks.push(bytes);
    this.#pendingBytes += bytes.length;
    this.#sent(bytes.length);
    this.#wakeReader();
    return this.#pendingBytes < HIGH_WATER_BYTES;
  }

  writeAll(chunks: readonly Uint8Array[]): boolean {
    return this.write(joined(chunks));
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

  /** The reader wants no more. A pending read rejects with the reason. Does nothing after the end. */
  leave(reason: unknown): void {
    this.#close('broken', reason);
  }

  /** Read it once. Leaving the loop early closes the queue. */
  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const chunks = this.#take();
        for (const chunk of chunks) {
          if (chunk.length > LONG_BYTES) await ownTurn();
          if (this.#state === 'broken') throw this.#reason;
          yield chunk;
        }
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
    // The chunks before a proper end can still be read.
    if (state !== 'ended') this.#chunks = [];
    for (const writer of this.#writers) writer.reject(clientGone());
    this.#writers.clear();
    this.#wakeReader();
    this.#onClosed();
  }
}

function ignore(): void {}
