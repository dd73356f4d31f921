/*
 * The frames of RFC 6455: two bytes of flags and length, up to eight more of length, four of mask from a client, then the payload.
 */

export const CONTINUATION = 0;
export const TEXT = 1;
export const BINARY = 2;
export const CLOSE = 8;
export const PING = 9;
export const PONG = 10;

export const FIN = 0x80;
export const RESERVED = 0x70;
export const OPCODE = 0x0f;
export const MASKED = 0x80;
export const LENGTH = 0x7f;
/** A length that is one of these is in the next two, or eight, bytes. */
export const LENGTH_OF_16_BITS = 126;
export const LENGTH_OF_64_BITS = 127;
/** The longest payload of a control frame. */
export const MAX_CONTROL_BYTES = 125;

export const NORMAL_CLOSURE = 1000;
export const PROTOCOL_ERROR = 1002;

/** The head of a whole message, or of a control frame, that a server sends. */
export function frameHead(opcode: number, length: number): Buffer {
  if (length < LENGTH_OF_16_BITS) return Buffer.from([FIN | opcode, length]);
  if (length < 0x1_0000) {
    const head = Buffer.from([FIN | opcode, LENGTH_OF_16_BITS, 0, 0]);
    head.writeUInt16BE(length, 2);
    return head;
  }
  const head = Buffer.alloc(10);
  head.writeUInt16BE(((FIN | opcode) << 8) | LENGTH_OF_64_BITS);
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

export function closeFrame(code: number): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return Buffer.concat([frameHead(CLOSE, payload.length), payload]);
}
