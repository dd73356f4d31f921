import { DecodeError, isEnvelope, PROTOBUF_PREFIX } from '../serializer/index.js';
import { WireReader } from './wire-reader.js';
import { DELIMITED, tagOf } from './wire-type.js';
import { writeMessage } from './wire-writer.js';

/** Wraps an object on the wire (Go's `runtime.Unknown`): its message and type. Absent strings are empty. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object's message, a view of the input. */
  readonly raw: Uint8Array;
  readonly contentEncoding: string;
  readonly contentType: string;
}

/** Throws `DecodeError` with upstream's message. */
export function readEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new DecodeError('empty data');
  if (!isEnvelope(bytes)) {
    const prefix = `[${PROTOBUF_PREFIX.join(' ')}]`;
    throw new DecodeError(`provided data does not appear to be a protobuf message, expected prefix ${prefix}`);
  }
  if (bytes.length === PROTOBUF_PREFIX.length) throw new DecodeError('empty body');
  const reader = new WireReader(bytes.subarray(PROTOBUF_PREFIX.length));
  const type = { apiVersion: '', kind: '' };
  let raw: Uint8Array = new Uint8Array();
  let contentEncoding = '';
  let contentType = '';
  while (!reader.atEnd) {
    reader.tag('Unknown');
    switch (reader.number) {
      case 1:
        reader.expect(DELIMITED, 'TypeMeta');
        readTypeMeta(reader, type);
        break;
      case 2:
        reader.expect(DELIMITED, 'Raw');
        raw = reader.bytes();
        break;
      case 3:
        reader.expect(DELIMITED, 'ContentEncoding');
        contentEncoding = reader.string();
        break;
      case 4:
        reader.expect(DELIMITED, 'ContentType');
        contentType = reader.string();
        break;
      default:
        reader.skip();
    }
  }
  return { ...type, raw, contentEncoding, contentType };
}

function readTypeMeta(reader: WireReader, type: { apiVersion: string; kind: string }): void {
  const outer = reader.enter();
  while (!reader.atEnd) {
    reader.tag('TypeMeta');
    if (reader.number === 1) {
      reader.expect(DELIMITED, 'APIVersion');
      type.apiVersion = reader.string();
    } else if (reader.number === 2) {
      reader.expect(DELIMITED, 'Kind');
      type.kind = reader.string();
    } else {
      reader.skip();
    }
  }
  reader.leave(outer);
}

/** Wraps the message `raw`, including the prefix. */
export function wrapEnvelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const { before, after } = aroundMessage(apiVersion, kind, raw.length);
  return Buffer.concat([before, raw, after]);
}

/** The bytes before and after a message of this length. */
export function aroundMessage(apiVersion: string, kind: string, length: number): { before: Buffer; after: Buffer } {
  const before = writeMessage((writer) => {
    writer.varint(length);
    writer.varint(tagOf(2, DELIMITED));
    const size = writer.size;
    writer.string(kind);
    writer.varint(tagOf(2, DELIMITED));
    writer.string(apiVersion);
    writer.varint(tagOf(1, DELIMITED));
    writer.lengthSince(size);
    writer.varint(tagOf(1, DELIMITED));
    writer.bytes(PROTOBUF_PREFIX);
  });
  return { before, after: EMPTY_ENCODING_AND_TYPE };
}

/** Fields 3 and 4. */
const EMPTY_ENCODING_AND_TYPE = writeMessage((writer) => {
  writer.string('');
  writer.varint(tagOf(4, DELIMITED));
  writer.string('');
  writer.varint(tagOf(3, DELIMITED));
});
