import { DecodeError } from '../serializer/index.js';
import { readRaw } from './json-text.js';
import { WireReader } from './wire-reader.js';
import { DELIMITED, tagOf } from './wire-type.js';
import { writeMessage } from './wire-writer.js';

/** The length prefix of each message of a stream. Upstream: apimachinery `util/framer`. */
const LENGTH_BYTES = 4;
/** The limit of upstream's clients; no object comes near it. */
const LONGEST_FRAME_BYTES = 16 * 1024 * 1024;

/**
 * Frames a watch event around an object's envelope: Go's `metav1.WatchEvent` without an envelope or prefix of its own,
 * after its length.
 */
export function frameWatchEvent(type: string, object: Uint8Array): Uint8Array {
  const event = writeMessage((writer) => {
    writer.bytes(object);
    writer.varint(object.length);
    writer.varint(tagOf(1, DELIMITED));
    writer.lengthSince(0);
    writer.varint(tagOf(2, DELIMITED));
    writer.string(type);
    writer.varint(tagOf(1, DELIMITED));
  });
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}

/**
 * Splits a stream into frames as they arrive, without their lengths. Throws `DecodeError` as soon as a frame announces
 * more than `maxBytes`, and for a stream that ends within a frame.
 */
export async function* readWatchFrames(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes = LONGEST_FRAME_BYTES,
): AsyncGenerator<Uint8Array, void, undefined> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let wanted = LENGTH_BYTES;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    length += chunk.length;
    if (length < wanted) continue;
    let rest = Buffer.concat(pieces, length);
    for (wanted = sizeOfNext(rest, maxBytes); rest.length >= wanted; wanted = sizeOfNext(rest, maxBytes)) {
      yield rest.subarray(LENGTH_BYTES, wanted);
      rest = rest.subarray(wanted);
    }
    pieces = [rest];
    length = rest.length;
  }
  if (length > 0) throw new DecodeError('unexpected EOF');
}

/** The size including the length prefix; that of the prefix alone until it is complete. */
function sizeOfNext(bytes: Buffer, maxBytes: number): number {
  if (bytes.length < LENGTH_BYTES) return LENGTH_BYTES;
  const size = bytes.readUInt32BE();
  if (size > maxBytes) throw new DecodeError(`a frame of the stream has ${size} bytes, and may have ${maxBytes}`);
  return LENGTH_BYTES + size;
}

/** A watch event and its object in an envelope, a view of the frame. */
export interface WatchFrame {
  readonly type: string;
  readonly object: Uint8Array;
}

/** Decodes a frame. Throws `DecodeError`. */
export function readWatchEvent(frame: Uint8Array): WatchFrame {
  const reader = new WireReader(frame);
  let type = '';
  let object: Uint8Array = new Uint8Array();
  while (!reader.atEnd) {
    reader.tag('WatchEvent');
    if (reader.number === 1) {
      reader.expect(DELIMITED, 'Type');
      type = reader.string();
    } else if (reader.number === 2) {
      reader.expect(DELIMITED, 'Object');
      const outer = reader.enter();
      object = readRaw(reader) ?? object;
      reader.leave(outer);
    } else {
      reader.skip();
    }
  }
  return { type, object };
}
