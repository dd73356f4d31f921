/*
 * Frames of SPDY/3.1. Source: SPDY Protocol, draft 3.1, section 2.2. Upstream: `github.com/moby/spdystream/spdy`.
 */

export const FRAME_HEAD_BYTES = 8;
/** Set in the first word of a control frame, with the version. */
export const CONTROL_BIT = 0x80000000;
export const VERSION = 3;
/** The largest payload of a data frame that this side sends; the receiver allocates that much. */
const MAX_DATA_BYTES = 32 * 1024;

export const SYN_STREAM = 1;
export const SYN_REPLY = 2;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PING = 6;
export const GOAWAY = 7;
export const HEADERS = 8;
export const WINDOW_UPDATE = 9;

export const FLAG_FIN = 1;

/** Reasons to reset a stream. */
export const PROTOCOL_ERROR = 1;
export const REFUSED_STREAM = 3;
export const CANCEL = 5;

/** A received frame. A data frame may arrive as several, of which the last has `fin`. */
export type Frame =
  | { readonly kind: 'data'; readonly streamId: number; readonly bytes: Buffer; readonly fin: boolean }
  | {
      readonly kind: 'open' | 'reply' | 'headers';
      readonly streamId: number;
      /** Compressed. */
      readonly block: Buffer;
      readonly fin: boolean;
    }
  | { readonly kind: 'reset'; readonly streamId: number; readonly status: number }
  | { readonly kind: 'ping'; readonly id: number }
  | { readonly kind: 'goAway' }
  /** Settings and windows: upstream ignores them too. */
  | { readonly kind: 'ignored' };

/** `block`: compressed headers. */
export function openFrame(streamId: number, block: Buffer): Buffer {
  const ids = Buffer.alloc(10);
  ids.writeUInt32BE(streamId, 0);
  return controlFrame(SYN_STREAM, 0, ids, block);
}

export const replyFrame = (streamId: number, block: Buffer): Buffer =>
  controlFrame(SYN_REPLY, 0, words(streamId), block);
export const resetFrame = (streamId: number, status: number): Buffer =>
  controlFrame(RST_STREAM, 0, words(streamId, status));
export const pingFrame = (id: number): Buffer => controlFrame(PING, 0, words(id));
/** The sender ends the connection without an error. */
export const goAwayFrame = (lastStreamId: number): Buffer => controlFrame(GOAWAY, 0, words(lastStreamId, 0));

/** The frames for some bytes of a stream; `bytes` is shared. An end without bytes is one frame. */
export function dataFrames(streamId: number, bytes: Buffer, fin: boolean): Buffer[] {
  const frames: Buffer[] = [];
  let position = 0;
  do {
    const payload = bytes.subarray(position, position + MAX_DATA_BYTES);
    position += payload.length;
    frames.push(frameHead(streamId, fin && position === bytes.length ? FLAG_FIN : 0, payload.length), payload);
  } while (position < bytes.length);
  return frames;
}

function controlFrame(type: number, flags: number, ...payload: readonly Buffer[]): Buffer {
  const length = payload.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([frameHead(CONTROL_BIT + VERSION * 0x10000 + type, flags, length), ...payload]);
}

function frameHead(first: number, flags: number, length: number): Buffer {
  const head = words(first, length);
  head.writeUInt8(flags, 4);
  return head;
}

function words(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, index * 4);
  return bytes;
}
