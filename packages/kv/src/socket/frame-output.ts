import type { Duplex } from 'node:stream';

/** Sends frames in order. Those of one turn go out together, because a system call costs more than a small frame. */
export class FrameOutput {
  readonly #stream: Duplex;
  #corked = false;
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

  /** Settles when little is unsent, or when the stream has ended. */
  async drained(): Promise<void> {
    const stream = this.#stream;
    while (stream.writableNeedDrain && !stream.destroyed) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          stream.off('drain', done);
          stream.off('close', done);
          resolve();
        };
        stream.on('drain', done);
        stream.on('close', done);
      });
    }
  }
}
