import { ConnectionError, ENHANCE_YOUR_CALM, PROTOCOL_ERROR } from './error-codes.js';
import { END_HEADERS, END_STREAM, type Frame, HAS_PRIORITY, PADDED } from './frames.js';

const PRIORITY_BYTES = 5;
/** A block is cut at 16 KiB, so that a megabyte has a few more than 64 fragments. */
const MOST_FRAGMENTS = 128;

/** The payload of DATA or HEADERS without its padding. Throws a {@link ConnectionError}. */
export function withoutPadding({ flags, payload }: Frame): Buffer {
  if ((flags & PADDED) === 0) return payload;
  const padding = payload[0];
  if (padding === undefined || padding >= payload.length) {
    throw new ConnectionError(PROTOCOL_ERROR, 'a frame has more padding than bytes');
  }
  return payload.subarray(1, payload.length - padding);
}

/** A header block that arrives in one HEADERS frame and CONTINUATION frames. RFC 9113, section 4.3. */
export class HeaderBlock {
  readonly streamId: number;
  readonly endsStream: boolean;
  readonly #fragments: Buffer[];
  #bytes: number;
  readonly #maxBytes: number;
  #isComplete: boolean;

  /** `frame`: HEADERS. Throws a {@link ConnectionError}. */
  constructor(frame: Frame, maxBytes: number) {
    this.streamId = frame.streamId;
    this.endsStream = (frame.flags & END_STREAM) !== 0;
    this.#isComplete = (frame.flags & END_HEADERS) !== 0;
    this.#maxBytes = maxBytes;
    const payload = withoutPadding(frame);
    const hasPriority = (frame.flags & HAS_PRIORITY) !== 0;
    if (hasPriority && payload.length < PRIORITY_BYTES) {
      throw new ConnectionError(PROTOCOL_ERROR, 'a frame is too small for its priority');
    }
    const fragment = hasPriority ? payload.subarray(PRIORITY_BYTES) : payload;
    this.#fragments = [fragment];
    this.#bytes = fragment.length;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The length of the fragments so far, as the client sent them. */
  get bytes(): number {
    return this.#bytes;
  }

  /** `frame`: CONTINUATION. Throws a {@link ConnectionError}. */
  add(frame: Frame): void {
    if (frame.streamId !== this.streamId) throw new ConnectionError(PROTOCOL_ERROR, 'a header block is interrupted');
    this.#fragments.push(frame.payload);
    this.#bytes += frame.payload.length;
    this.#isComplete = (frame.flags & END_HEADERS) !== 0;
    if (this.#bytes <= this.#maxBytes && this.#fragments.length <= MOST_FRAGMENTS) return;
    throw new ConnectionError(ENHANCE_YOUR_CALM, 'a header block is too large');
  }

  toBuffer(): Buffer {
    const [only] = this.#fragments;
    return this.#fragments.length === 1 && only !== undefined ? only : Buffer.concat(this.#fragments, this.#bytes);
  }
}
