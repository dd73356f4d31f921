import assert from 'node:assert/strict';
import { kindSchema } from '@binnacle/api/table';
import { decodeProtobuf, encodeProtobuf, readEnvelope, wrapEnvelope } from '@binnacle/apimachinery/protobuf';
import { decodeTyped } from '@binnacle/apimachinery/serializer';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const FRAME_HEAD_BYTES = 4;
/** Fields of the message of a watch event, and the only one of the object's within it. */
const EVENT_TYPE = 1;
const EVENT_OBJECT = 2;
const RAW = 1;

/** The two forms in which upstream's clients send and ask; `accept` may be narrowed to metadata alone. */
export const forms = [
  {
    name: 'json',
    contentType: 'application/json',
    accept: (as) => (as === undefined ? 'application/json, */*' : `application/json${as},application/json`),
    encode: (object) => Buffer.from(JSON.stringify(object)),
  },
  {
    name: 'protobuf',
    contentType: PROTOBUF,
    accept: (as) => (as === undefined ? `${PROTOBUF}, */*` : `${PROTOBUF}${as},application/json${as},application/json`),
    encode(object) {
      const { apiVersion, kind } = object;
      const schema = schemaOf(apiVersion, kind);
      return Buffer.from(wrapEnvelope(apiVersion, kind, encodeProtobuf(decodeTyped(object, schema).object, schema)));
    },
  },
];

/** An answer's object, whatever form it has. */
export function decodeObject(contentType, bytes) {
  if (!contentType.startsWith(PROTOBUF)) return JSON.parse(bytes.toString());
  const { apiVersion, kind, raw } = readEnvelope(bytes);
  return { apiVersion, kind, ...decodeProtobuf(raw, schemaOf(apiVersion, kind)) };
}

/** Takes the bytes of a watch as they come; each call returns the events that are whole now. */
export function eventReader(contentType) {
  return contentType.startsWith(PROTOBUF) ? framedEvents() : lineEvents();
}

function lineEvents() {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop();
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  };
}

/** Each with its length before it. */
function framedEvents() {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const events = [];
    while (rest.length >= FRAME_HEAD_BYTES && rest.length >= FRAME_HEAD_BYTES + rest.readUInt32BE(0)) {
      const end = FRAME_HEAD_BYTES + rest.readUInt32BE(0);
      const fields = messageFields(rest.subarray(FRAME_HEAD_BYTES, end));
      const raw = messageFields(fields.get(EVENT_OBJECT)).get(RAW);
      events.push({ type: fields.get(EVENT_TYPE).toString(), object: decodeObject(PROTOBUF, raw) });
      rest = rest.subarray(end);
    }
    return events;
  };
}

/** Of a message that holds nothing but bytes. */
function messageFields(bytes) {
  const fields = new Map();
  for (let at = 0; at < bytes.length; ) {
    const tag = varint(bytes, at);
    const length = varint(bytes, tag.end);
    assert.equal(tag.value & 7, 2, 'a field of bytes');
    at = length.end + length.value;
    fields.set(tag.value >> 3, bytes.subarray(length.end, at));
  }
  return fields;
}

function varint(bytes, start) {
  let value = 0;
  for (let at = start, shift = 0; ; at++, shift += 7) {
    value += (bytes[at] & 0x7f) * 2 ** shift;
    if (bytes[at] < 0x80) return { value, end: at + 1 };
  }
}

function schemaOf(apiVersion, kind) {
  const [version, group = ''] = apiVersion.split('/').reverse();
  const schema = kindSchema({ group, version, kind });
  assert.ok(schema !== undefined, `no kind ${apiVersion} ${kind}`);
  return schema;
}
