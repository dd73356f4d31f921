import type { Duplex } from 'node:stream';
import type { Caller } from '../../slices/index.js';
import { Batch } from './batch.js';
import { DEFAULT_FRAME_SIZE, DEFAULT_WINDOW } from './frames.js';
import type { Http2Stream } from './http2-stream.js';
import { scheduleWrite } from './write-turns.js';

/**
 * A batch is complete with the frame that reaches this size. The next batch waits until the socket has written it. Requests of other clients wait
 * while a batch is encrypted and written.
 */
const BATCH_BYTES = 32 * 1024;
/** Control frames that wait. A client that provokes more and reads none is cut off. */
const MOST_CONTROL_BYTES = 256 * 1024;

/**
 * Writes the frames of a connection. Control frames go first, then streams in turns, a frame each. While the socket writes,
 * everything waits: a client that does not read costs one batch, and what its streams hold back.
 */
export class ConnectionOutput {
  readonly #socket: Duplex;
  readonly #caller: Caller;
  readonly #onSent: (stream: Http2Stream) => void;
  #control: Buffer[] = [];
  #controlBytes = 0;
  /** Streams with something to send, in the order of their turns. */
  readonly #ready = new Set<Http2Stream>();
  /** Streams that the window of the connection holds back. */
  readonly #blocked = new Set<Http2Stream>();
  #window = DEFAULT_WINDOW;
  #isScheduled = false;
  #isWriting = false;
  #isEnding = false;
  #bytesWritten = 0;
  /** Bytes of a frame's payload that the client takes. */
  maxFrameSize = DEFAULT_FRAME_SIZE;

  /** `caller`: whose turn the writes take. `onSent`: called when the end of a stream's answer is in the batch that is about to be written. */
  constructor(socket: Duplex, caller: Caller, onSent: (stream: Http2Stream) => void) {
    this.#socket = socket;
    this.#caller = caller;
    this.#onSent = onSent;
  }

  get bytesWritten(): number {
    return this.#bytesWritten;
  }

  /** Bytes of DATA that the client takes on all streams together. */
  get window(): number {
    return this.#window;
  }

  widen(bytes: number): void {
    this.#window += bytes;
    for (const stream of this.#blocked) this.#ready.add(stream);
    this.#blocked.clear();
    this.#schedule();
  }

  sendControl(frame: Buffer): void {
    this.#control.push(frame);
    this.#controlBytes += frame.length;
    if (this.#controlBytes > MOST_CONTROL_BYTES) this.#socket.destroy();
    else this.#schedule();
  }

  wake(stream: Http2Stream): void {
    this.#ready.add(stream);
    this.#schedule();
  }

  forget(stream: Http2Stream): void {
    this.#ready.delete(stream);
    this.#blocked.delete(stream);
  }

  /** Ends the connection once all that can be sent is written. */
  end(): void {
    this.#isEnding = true;
    this.#schedule();
  }

  /** All that one turn of the loop produces is written at once. */
  #schedule(): void {
    if (this.#isScheduled || this.#isWriting) return;
    this.#isScheduled = true;
    scheduleWrite(this.#caller, () => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#isWriting || this.#socket.destroyed) return;
    const batch = this.#nextBatch();
    if (batch.bytes === 0) {
      batch.finish();
      if (this.#isEnding) this.#socket.end();
      return;
    }
    this.#isWriting = true;
    this.#bytesWritten += batch.bytes;
    batch.writeTo(this.#socket, () => {
      this.#isWriting = false;
      batch.finish();
      if (this.#ready.size > 0 || this.#control.length > 0 || this.#isEnding) this.#schedule();
    });
  }

  #nextBatch(): Batch {
    const batch = new Batch();
    for (const frame of this.#control) batch.add(frame);
    this.#control = [];
    this.#controlBytes = 0;
    // A stream that is added again has its next turn after all others.
    for (const stream of this.#ready) {
      if (batch.bytes >= BATCH_BYTES) break;
      this.#ready.delete(stream);
      this.#take(stream, batch);
    }
    return batch;
  }

  #take(stream: Http2Stream, batch: Batch): void {
    const { output } = stream;
    this.#window -= output.moveTo(batch, { window: this.#window, maxFrameSize: this.maxFrameSize });
    if (output.bytes === 0) batch.onWritten(() => stream.written());
    if (output.isSent) this.#onSent(stream);
    else if (output.canSend(this.#window)) this.#ready.add(stream);
    else if (output.bytes > 0 && output.window > 0) this.#blocked.add(stream);
  }
}
