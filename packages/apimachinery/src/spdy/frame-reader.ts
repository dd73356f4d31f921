import {
  CONTROL_BIT,
  FLAG_FIN,
  FRAME_HEAD_BYTES,
  type Frame,
  GOAWAY,
  HEADERS,
  PING,
  RST_STREAM,
  SETTINGS,
  SYN_REPLY,
  SYN_STREAM,
  VERSION,
  WINDOW_UPDATE,
} from './frames.js';
import { SpdyError } from './spdy-error.js';

/** The largest control frame, in bytes of payload. A header block of Kubernetes has about 100. */
const MAX_CONTROL_BYTES = 16 * 1024;
const STREAM_ID = 0x7fffffff;
const KINDS: ReadonlyMap<number, 'open' | 'reply' | 'headers'> = new Map([
  [SYN_STREAM, 'open'],
  [SYN_REPLY, 'reply'],
  [HEADERS, 'headers'],
]);

/** Finds the frames in the bytes of one peer. It holds at most one control frame; data is passed on as it arrives. */
export class FrameReader {
  #bytes: Buffer = Buffer.alloc(0);
  #data: { readonly streamId: number; readonly fin: boolean; left: number } | undefined;

  add(bytes: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
  }

  /** The next frame, or undefined until more bytes are added. Its bytes share memory with the added ones. Throws a {@link SpdyError}. */
  next(): Frame | undefined {
    if (this.#data !== undefined) return this.#bytes.length === 0 ? undefined : this.#nextData(this.#data);
    if (this.#bytes.length < FRAME_HEAD_BYTES) return undefined;
    const first = this.#bytes.readUInt32BE(0);
    const flags = this.#bytes.readUInt8(4);
    const length = this.#bytes.readUIntBE(5, 3);
    if (first < CONTROL_BIT) {
      if (first === 0) throw new SpdyError('stream id zero is disallowed');
      this.#take(FRAME_HEAD_BYTES);
      return this.#nextData({ streamId: first, fin: (flags & FLAG_FIN) !== 0, left: length });
    }
    if (length > MAX_CONTROL_BYTES) throw new SpdyError('a control frame is too large');
    if (this.#bytes.length < FRAME_HEAD_BYTES + length) return undefined;
    const payload = this.#take(FRAME_HEAD_BYTES + length).subarray(FRAME_HEAD_BYTES);
    if ((first - CONTROL_BIT) >>> 16 !== VERSION) throw new SpdyError('the version is not that of SPDY/3.1');
    return controlFrame(first & 0xffff, flags, payload);
  }

  #nextData(data: { readonly streamId: number; readonly fin: boolean; left: number }): Frame {
    const bytes = this.#take(Math.min(data.left, this.#bytes.length));
    data.left -= bytes.length;
    this.#data = data.left === 0 ? undefined : data;
    return { kind: 'data', streamId: data.streamId, bytes, fin: data.fin && data.left === 0 };
  }

  #take(length: number): Buffer {
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }
}

function controlFrame(type: number, flags: number, payload: Buffer): Frame {
  const kind = KINDS.get(type);
  if (kind !== undefined) {
    const streamId = idOf(payload);
    const fixed = kind === 'open' ? 10 : 4;
    if (payload.length < fixed) throw new SpdyError('invalid control frame');
    return { kind, streamId, block: payload.subarray(fixed), fin: (flags & FLAG_FIN) !== 0 };
  }
  switch (type) {
    case RST_STREAM:
      return { kind: 'reset', streamId: idOf(payload), status: wordAt(payload, 4) };
    case PING:
      return { kind: 'ping', id: wordAt(payload, 0) };
    case GOAWAY:
      return { kind: 'goAway' };
    case SETTINGS:
    case WINDOW_UPDATE:
      return { kind: 'ignored' };
    default:
      throw new SpdyError('invalid control frame');
  }
}

function idOf(payload: Buffer): number {
  const id = wordAt(payload, 0) & STREAM_ID;
  if (id === 0) throw new SpdyError('stream id zero is disallowed');
  return id;
}

function wordAt(payload: Buffer, position: number): number {
  if (payload.length < position + 4) throw new SpdyError('invalid control frame');
  return payload.readUInt32BE(position);
}
