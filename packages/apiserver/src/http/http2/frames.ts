/** The frames of HTTP/2: RFC 9113, sections 4 and 6. */

export const FRAME_HEAD_BYTES = 9;

export const DATA = 0x0;
export const HEADERS = 0x1;
export const PRIORITY = 0x2;
export const RST_STREAM = 0x3;
export const SETTINGS = 0x4;
export const PUSH_PROMISE = 0x5;
export const PING = 0x6;
export const GOAWAY = 0x7;
export const WINDOW_UPDATE = 0x8;
export const CONTINUATION = 0x9;

/** Of DATA and HEADERS. */
export const END_STREAM = 0x1;
/** Of SETTINGS and PING. */
export const ACK = 0x1;
/** Of HEADERS and CONTINUATION. */
export const END_HEADERS = 0x4;
/** Of DATA and HEADERS. */
export const PADDED = 0x8;
/** Of HEADERS: a priority precedes the fields. */
export const HAS_PRIORITY = 0x20;

export const HEADER_TABLE_SIZE = 0x1;
export const ENABLE_PUSH = 0x2;
export const MAX_CONCURRENT_STREAMS = 0x3;
export const INITIAL_WINDOW_SIZE = 0x4;
export const MAX_FRAME_SIZE = 0x5;
export const MAX_HEADER_LIST_SIZE = 0x6;

/** Both endpoints begin with these. */
export const DEFAULT_WINDOW = 65_535;
export const DEFAULT_FRAME_SIZE = 16_384;
export const LARGEST_WINDOW = 2 ** 31 - 1;
export const LARGEST_FRAME_SIZE = 2 ** 24 - 1;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

/** The head of a frame whose payload follows. */
export function frameHead(length: number, type: number, flags: number, streamId: number): Buffer {
  const head = Buffer.allocUnsafe(FRAME_HEAD_BYTES);
  writeHead(head, length, type, flags, streamId);
  return head;
}

/** A frame whose payload is these 32-bit numbers; without numbers it is empty. */
export function frameOf(type: number, flags: number, streamId: number, ...numbers: readonly number[]): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + 4 * numbers.length);
  writeHead(frame, 4 * numbers.length, type, flags, streamId);
  for (const [index, number] of numbers.entries()) frame.writeUInt32BE(number, FRAME_HEAD_BYTES + 4 * index);
  return frame;
}

export function settingsFrame(settings: readonly (readonly [identifier: number, value: number])[]): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + 6 * settings.length);
  writeHead(frame, 6 * settings.length, SETTINGS, 0, 0);
  for (const [index, [identifier, value]] of settings.entries()) {
    frame.writeUInt16BE(identifier, FRAME_HEAD_BYTES + 6 * index);
    frame.writeUInt32BE(value, FRAME_HEAD_BYTES + 6 * index + 2);
  }
  return frame;
}

/**
 * Splits a field block into a HEADERS frame and, if it exceeds `maxFrameSize`, CONTINUATION frames. Frame headers and payloads
 * alternate in the result.
 */
export function headerFrames(streamId: number, block: Buffer, endStream: boolean, maxFrameSize: number): Buffer[] {
  const frames: Buffer[] = [];
  let start = 0;
  do {
    const payload = block.subarray(start, start + maxFrameSize);
    const isFirst = start === 0;
    start += payload.length;
    const flags = (start === block.length ? END_HEADERS : 0) | (isFirst && endStream ? END_STREAM : 0);
    frames.push(frameHead(payload.length, isFirst ? HEADERS : CONTINUATION, flags, streamId), payload);
  } while (start < block.length);
  return frames;
}

function writeHead(target: Buffer, length: number, type: number, flags: number, streamId: number): void {
  target.writeUIntBE(length, 0, 3);
  target[3] = type;
  target[4] = flags;
  target.writeUInt32BE(streamId, 5);
}
