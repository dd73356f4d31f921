import { FIN, MASKED } from './frames.js';

const MASK = Buffer.from([1, 2, 3, 4]);

/** A frame of a client; `fin`: the last of its message. */
export function frame(opcode: number, payload: Uint8Array | string, fin = true): Buffer {
  const bytes = Buffer.from(payload);
  const length = bytes.length;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = (fin ? FIN : 0) | opcode;
  head[1] = MASKED | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  const masked = bytes.map((byte, index) => byte ^ (MASK[index % MASK.length] ?? 0));
  return Buffer.concat([head, MASK, masked]);
}
