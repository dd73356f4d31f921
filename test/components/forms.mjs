import assert from 'node:assert/strict';
import { kindSchema } from '@binnacle/api/table';
import { createInterface } from 'node:readline';
import {
  decodeProtobuf,
  encodeProtobuf,
  readEnvelope,
  readWatchEvent,
  readWatchFrames,
  wrapEnvelope,
} from '@binnacle/apimachinery/protobuf';
import { decodeTyped } from '@binnacle/apimachinery/serializer';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** The two forms in which upstream's clients send and ask; `accept` may be narrowed to metadata alone. */
export const forms = [
  {
    name: 'json',
    contentType: 'application/json',
    streamSuffix: '',
    accept: (as) => (as === undefined ? 'application/json, */*' : `application/json${as},application/json`),
    encode: (object) => Buffer.from(JSON.stringify(object)),
  },
  {
    name: 'protobuf',
    contentType: PROTOBUF,
    streamSuffix: ';stream=watch',
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
  if (contentType.startsWith('text/plain')) return bytes.toString();
  if (!contentType.startsWith(PROTOBUF)) return JSON.parse(bytes.toString());
  const { apiVersion, kind, raw } = readEnvelope(bytes);
  return { apiVersion, kind, ...decodeProtobuf(raw, schemaOf(apiVersion, kind), { showZeros: true }) };
}

/** The events of a watch as they come, out of the pieces of its answer. */
export async function* readEvents(contentType, pieces) {
  if (!contentType.startsWith(PROTOBUF)) {
    yield* linesOf(pieces);
    return;
  }
  for await (const frame of readWatchFrames(pieces)) {
    const { type, object } = readWatchEvent(frame);
    yield { type, object: decodeObject(PROTOBUF, object) };
  }
}

async function* linesOf(pieces) {
  for await (const line of createInterface({ input: pieces, crlfDelay: Number.POSITIVE_INFINITY }))
    yield JSON.parse(line);
}

function schemaOf(apiVersion, kind) {
  const [version, group = ''] = apiVersion.split('/').reverse();
  const schema = kindSchema({ group, version, kind });
  assert.ok(schema !== undefined, `no kind ${apiVersion} ${kind}`);
  return schema;
}
