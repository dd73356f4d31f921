import assert from 'node:assert/strict';
import { decodeProtobuf, readEnvelope } from '@binnacle/apimachinery/protobuf';

/** Reads a watch in protobuf: frames of a length in four bytes, and an event around an object in its envelope. */
export class WatchFrames {
  #chunks;
  #rest = Buffer.alloc(0);

  constructor(body) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  /** The next event, its object read by the schema. */
  async next(schema) {
    const length = (await this.#take(4)).readUInt32BE(0);
    const { type, object } = eventOf(await this.#take(length));
    const { apiVersion, kind, raw } = readEnvelope(object);
    return { type, object: { kind, apiVersion, ...decodeProtobuf(raw, schema) } };
  }

  async #take(count) {
    while (this.#rest.length < count) {
      const { value, done } = await this.#chunks.next();
      if (done) throw new Error(`the stream ended within a frame: ${count} bytes wanted, ${this.#rest.length} there`);
      this.#rest = Buffer.concat([this.#rest, value]);
    }
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return taken;
  }
}

/** `type` is field 1, `object` field 2, a message whose field 1 are the bytes. */
function eventOf(message) {
  const [type, object] = [...delimitedFields(message)];
  const [bytes] = [...delimitedFields(object.bytes)];
  assert.deepEqual([type.number, object.number, bytes.number], [1, 2, 1]);
  return { type: type.bytes.toString(), object: bytes.bytes };
}

function* delimitedFields(message) {
  for (let at = 0; at < message.length; ) {
    const tag = message[at++];
    assert.equal(tag & 7, 2);
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++];
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    yield { number: tag >> 3, bytes: message.subarray(at, at + length) };
    at += length;
  }
}
