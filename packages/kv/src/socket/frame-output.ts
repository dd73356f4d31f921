import type { Duplex } from 'node:stream';
import { SerialQueue } from '@binnacle/apimachinery/turns';

/** Sends frames in order. Those of one turn go out together, because a system call costs more than a small frame. */
export class FrameOutput {
  readonly #stream: Duplex;
  #corked = false;
  readonly #senders = new SerialQueue();
  #draining: Promise<void> | undefined;
  readonly #uncork = (): void => {
    this.#corked = false;
    this.#stream.uncork();
  };

  constructor(stream: Duplex) {
    this.#stream = stream;
  }

  /** Bytes that the other side has not read, and neither the system. */
  get unsentBytes(): number {
    return this.#stream.writableLength;
  }

  send(frame: Buffer): void {
    if (this.#stream.destroyed) return;
    if (!this.#corked) {
      this.#corked = true;
      this.#stream.cork();
      process.nextTick(this.#uncork);
    }
    this.#stream.write(frame);
  }

  /** Whether the other side should read before it gets more that can wait. */
  get isFull(): boolean {
    return this.#stream.writableNeedDrain && !this.#stream.destroyed;
  }

  /** Lets senders of large answers take turns, so that they do not fill the memory together: each begins when those before have sent and little is unsent. */
  inTurn<T>(send: () => Promise<T>): Promise<T> {
    return this.#senders.run(async () => {
      await this.drained();
      return send();
    });
  }

  /** Settles when little is unsent, or when the stream has ended. All that wait share the listeners. */
  async drained(): Promise<void> {
    while (this.isFull) await (this.#draining ??= this.#nextDrain());
  }

  #nextDrain(): Promise<void> {
    const stream = this.#stream;
    return new Promise<void>((resolve) => {
      const done = (): void => {
        stream.off('drain', done);
        stream.off('close', done);
        this.#draining = undefined;
        resolve();
      };
      stream.on('drain', done);
      stream.on('close', done);
    });
  }
}
