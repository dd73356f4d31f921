import { Readable } from 'node:stream';
import { endedEarly } from '../body.js';
import { BodyBuffer } from '../body-buffer.js';

function ignore(): void {}

/**
 * The body of a request. Chunks that no reader wants yet are collected in one buffer; the flow-control window of the stream
 * limits it. If the client ends the body early, the stream is destroyed with an error of status 400, which the reader gets.
 */
export class RequestBody extends Readable {
  readonly #consumed: (bytes: number) => void;
  #waiting = new BodyBuffer();
  #isWanted = false;
  #isComplete = false;

  /** `consumed`: called with the size of what the reader takes, so that the client may send more. */
  constructor(consumed: (bytes: number) => void) {
    // One chunk waits in the stream's own buffer, and all others here.
    super({ highWaterMark: 1 });
    this.#consumed = consumed;
    this.on('error', ignore);
  }

  /** Whether the client has ended the body. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  receive(chunk: Buffer): void {
    if (chunk.length === 0) return;
    if (this.destroyed) this.#consumed(chunk.length);
    else if (this.#isWanted) this.#pass(chunk);
    else this.#waiting.add(chunk);
  }

  /** Does nothing for a body that is broken off. */
  complete(): void {
    if (this.destroyed) return;
    this.#isComplete = true;
    if (this.#waiting.size === 0) this.push(null);
  }

  /** The client or the server has given up the stream. */
  breakOff(): void {
    if (this.#isComplete) this.destroy();
    else this.destroy(endedEarly());
  }

  override _read(): void {
    this.#isWanted = true;
    if (this.#waiting.size > 0) {
      const { bytes } = this.#waiting;
      this.#waiting = new BodyBuffer();
      this.#pass(bytes);
    }
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#waiting.size > 0) this.#consumed(this.#waiting.size);
    this.#waiting = new BodyBuffer();
    done(error);
  }

  #pass(chunk: Buffer): void {
    this.#isWanted = false;
    this.#consumed(chunk.length);
    this.push(chunk);
    if (this.#isComplete && this.#waiting.size === 0) this.push(null);
  }
}
