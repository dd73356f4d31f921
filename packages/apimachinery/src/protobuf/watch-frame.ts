import { DELIMITED, tagOf } from './wire-type.js';
import { writeMessage } from './wire-writer.js';

/** Before each message of a stream. Upstream: apimachinery `util/framer`. */
const LENGTH_BYTES = 4;

/** One event of a watch around an object's envelope: Go's `metav1.WatchEvent` with neither type nor prefix, after its length. */
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
