import { ProtocolError } from './frame-reader.js';
import { MAX_FRAME_BYTES } from './limits.js';

const HEADER_BYTES = 4;

/** Divides a stream of chunks into the bodies of frames. */
export class FrameSplitter {
  readonly #take: (body: Buffer) => void;
  #chunks: Buffer[] = [];
  #held = 0;
  /** How many bytes must be there until more can be taken: a header, or a whole frame. */
  #needed = HEADER_BYTES;

  /** `take` gets each body. It must copy what it keeps. What it throws reaches the caller of {@link push}. */
  constructor(take: (body: Buffer) => void) {
    this.#take = take;
  }

  /** Throws {@link ProtocolError} for a frame that is too long, before it arrives. */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    if (this.#held < this.#needed) return;
    let bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    for (;;) {
      this.#needed = HEADER_BYTES;
      if (bytes.length < HEADER_BYTES) break;
      const length = bytes.readUInt32LE();
      if (length > MAX_FRAME_BYTES) throw new ProtocolError(`a frame of ${length} bytes is too long`);
      this.#needed = HEADER_BYTES + length;
      if (bytes.length < this.#needed) break;
      const body = bytes.subarray(HEADER_BYTES, this.#needed);
      bytes = bytes.subarray(this.#needed);
      this.#take(body);
    }
    this.#chunks = bytes.length === 0 ? [] : [bytes];
    this.#held = bytes.length;
  }
}
