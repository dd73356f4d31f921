import {
  BINARY,
  CLOSE,
  CONTINUATION,
  FIN,
  LENGTH,
  LENGTH_OF_16_BITS,
  LENGTH_OF_64_BITS,
  MASKED,
  MAX_CONTROL_BYTES,
  OPCODE,
  PING,
  PONG,
  RESERVED,
  TEXT,
} from './frames.js';
import { WebSocketError } from './websocket-error.js';

/** A piece of a message, as it has arrived. The first one has two bytes, unless the message is shorter. */
export interface MessagePart {
  readonly bytes: Buffer;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export type Frame =
  | ({ readonly kind: 'part' } & MessagePart)
  | { readonly kind: 'ping' | 'pong' | 'close'; readonly bytes: Buffer };

interface Head {
  readonly opcode: number;
  readonly fin: boolean;
  readonly mask: Buffer;
  /** Where in the mask the next byte of the payload is. */
  maskedFrom: number;
  left: number;
}

const MASK_BYTES = 4;
/** A message of control of `v5.channel.k8s.io` has this length, so no part of one needs to be kept by who reads it. */
const FIRST_BYTES = 2;

/**
 * Finds the frames in the bytes of a client. It holds the head of a frame, or a control frame, at most; the payload of a
 * message is passed on as it arrives, however long the message is.
 */
export class FrameReader {
  #bytes: Buffer = Buffer.alloc(0);
  #head: Head | undefined;
  /** The beginning of a message that is too short for its first part. */
  #beginning: Buffer | undefined;
  #isInMessage = false;

  add(bytes: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
  }

  /**
   * The next part or control frame, or undefined until more bytes are added. It unmasks the added bytes in place, and
   * shares their memory. Throws a {@link WebSocketError}.
   */
  next(): Frame | undefined {
    for (;;) {
      this.#head ??= this.#readHead();
      if (this.#head === undefined) return undefined;
      const { opcode } = this.#head;
      const frame = opcode >= CLOSE ? this.#control(this.#head) : this.#part(this.#head);
      if (frame !== 'incomplete') return frame;
      if (this.#bytes.length === 0 || opcode >= CLOSE) return undefined;
    }
  }

  #readHead(): Head | undefined {
    const bytes = this.#bytes;
    if (bytes.length < 2) return undefined;
    const [flags = 0, second = 0] = bytes;
    const short = second & LENGTH;
    const lengthBytes = short === LENGTH_OF_64_BITS ? 8 : short === LENGTH_OF_16_BITS ? 2 : 0;
    const head = { opcode: flags & OPCODE, fin: (flags & FIN) !== 0 };
    if ((flags & RESERVED) !== 0) throw new WebSocketError('a reserved bit is set');
    if ((second & MASKED) === 0) throw new WebSocketError('a frame of a client is not masked');
    this.#checkOrder(head, short);
    if (bytes.length < 2 + lengthBytes + MASK_BYTES) return undefined;
    const left =
      lengthBytes === 8 ? Number(bytes.readBigUInt64BE(2)) : lengthBytes === 2 ? bytes.readUInt16BE(2) : short;
    if (left > Number.MAX_SAFE_INTEGER) throw new WebSocketError('a frame is too long');
    const mask = Buffer.from(bytes.subarray(2 + lengthBytes, 2 + lengthBytes + MASK_BYTES));
    this.#bytes = bytes.subarray(2 + lengthBytes + MASK_BYTES);
    if (head.opcode < CLOSE) {
      if (!this.#isInMessage) this.#beginning = Buffer.alloc(0);
      this.#isInMessage = !head.fin;
    }
    return { ...head, mask, maskedFrom: 0, left };
  }

  #checkOrder({ opcode, fin }: Pick<Head, 'opcode' | 'fin'>, short: number): void {
    if (opcode === CLOSE || opcode === PING || opcode === PONG) {
      if (!fin || short > MAX_CONTROL_BYTES) throw new WebSocketError('a control frame is not short and whole');
    } else if (opcode === CONTINUATION) {
      if (!this.#isInMessage) throw new WebSocketError('a continuation follows no beginning');
    } else if (opcode === TEXT || opcode === BINARY) {
      if (this.#isInMessage) throw new WebSocketError('a message begins within another');
    } else throw new WebSocketError('an unknown kind of frame');
  }

  #control(head: Head): Frame | 'incomplete' {
    if (this.#bytes.length < head.left) return 'incomplete';
    const bytes = this.#take(head);
    return { kind: head.opcode === CLOSE ? 'close' : head.opcode === PING ? 'ping' : 'pong', bytes };
  }

  #part(head: Head): Frame | 'incomplete' {
    if (this.#bytes.length === 0 && head.left > 0) return 'incomplete';
    const taken = this.#take(head);
    const isLast = head.fin && head.left === 0;
    const beginning = this.#beginning;
    if (beginning === undefined) return taken.length === 0 && !isLast ? 'incomplete' : partOf(taken, false, isLast);
    const bytes = beginning.length === 0 ? taken : Buffer.concat([beginning, taken]);
    if (bytes.length < FIRST_BYTES && !isLast) {
      this.#beginning = bytes;
      return 'incomplete';
    }
    this.#beginning = undefined;
    return partOf(bytes, true, isLast);
  }

  /** What has arrived of the payload, unmasked. The head is over with the last of it. */
  #take(head: Head): Buffer {
    const taken = this.#bytes.subarray(0, head.left);
    this.#bytes = this.#bytes.subarray(taken.length);
    unmask(taken, head);
    head.left -= taken.length;
    if (head.left === 0) this.#head = undefined;
    return taken;
  }
}

function partOf(bytes: Buffer, isFirst: boolean, isLast: boolean): Frame {
  return { kind: 'part', bytes, isFirst, isLast };
}

function unmask(bytes: Buffer, head: Head): void {
  const { mask, maskedFrom } = head;
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = (bytes[index] ?? 0) ^ (mask[(maskedFrom + index) % MASK_BYTES] ?? 0);
  }
  head.maskedFrom = (maskedFrom + bytes.length) % MASK_BYTES;
}
