import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { test } from 'node:test';
import {
  encodeJson,
  isObject,
  type JsonObject,
  type JsonValue,
  MAX_JSON_DEPTH,
  parseJson,
  setOwn,
  sortedKeys,
  stringifyJson,
} from '../json/index.js';
import { DecodeError, decodeTyped, encodeTyped } from '../serializer/index.js';
import { counted } from '../testing/index.js';
import { finish } from '../work/index.js';
import { decodeProtobuf, decodeProtobufInSteps } from './decode.js';
import { encodeProtobuf, messageField, messageFieldLength, transcodeJson, transcodeJsonInSteps } from './encode.js';
import { wrapEnvelope } from './envelope.js';
import { everything, field, scalar, struct } from './schema.testing.js';
import { tagOf } from './wire-type.js';
import { type WireWriter, writeMessage } from './wire-writer.js';

const DELIMITED = 2;
const VARINT = 0;

function roundTrip(object: JsonObject): JsonObject {
  return decodeProtobuf(encodeProtobuf(object, everything), everything);
}

/** A message with fields in the given wire order. */
function message(...fields: readonly ((writer: WireWriter) => void)[]): Uint8Array {
  return writeMessage((writer) => {
    for (const write of fields.toReversed()) write(writer);
  });
}

function varint(number: number, value: number | bigint): (writer: WireWriter) => void {
  return (writer) => {
    writer.integer(value);
    writer.varint(tagOf(number, VARINT));
  };
}

function delimited(number: number, content: Uint8Array | string): (writer: WireWriter) => void {
  const bytes = Buffer.from(content);
  return (writer) => {
    writer.bytes(bytes);
    writer.varint(bytes.length);
    writer.varint(tagOf(number, DELIMITED));
  };
}

const decode = (...fields: readonly ((writer: WireWriter) => void)[]): JsonObject =>
  decodeProtobuf(message(...fields), everything);

function fails(run: () => unknown, text: string): void {
  assert.throws(run, new DecodeError(text));
}

const full = (): JsonObject => ({
  text: 'grüße',
  textPointer: '',
  flag: true,
  flagPointer: false,
  small: -5,
  large: 9_223_372_036_854_775_807n,
  number: 1.5,
  bytes: 'AQID',
  time: '2026-01-02T03:04:05Z',
  micro: '1969-12-31T23:59:59.000001Z',
  duration: '1h0m0.5s',
  quantity: '1500m',
  port: 'http',
  raw: { b: [1, null], a: '<' },
  member: { name: 'm', size: 1 },
  memberPointer: {},
  members: [{ name: 'a' }, {}],
  numbers: [1, -1],
  texts: JSON.parse('{"__proto__":"x","constructor":"","é":"y"}') as JsonObject,
  secrets: { k: 'AA==', empty: '' },
  amounts: { cpu: '1', memory: '1Gi' },
  extra: { groups: ['a', 'b'] },
  verbs: ['get'],
  inner: 'i',
  innermost: '',
  schema: {
    type: 'object',
    not: { enum: [1, 'a', null] },
    items: { type: 'string', additionalProperties: false },
    additionalProperties: { items: [{ title: 't' }, {}] },
    dependencies: { a: ['b'], c: { type: 'integer' } },
  },
});

test('objects survive a round trip', () => {
  assert.deepEqual(roundTrip(full()), full());
  assert.deepEqual(roundTrip(full()), decodeTyped(full(), everything).object);
});

test('zero values of non-pointers are written, and decoded as absent', () => {
  const bytes = encodeProtobuf({}, everything);
  const member = message(delimited(1, ''), varint(2, 0));
  const intOrString = message(varint(1, 0), varint(2, 0), delimited(3, ''));
  const inner = message(delimited(1, ''), delimited(3, ''));
  const expected = message(
    delimited(1, ''),
    varint(3, 0),
    varint(5, 0),
    varint(6, 0),
    delimited(9, ''),
    delimited(11, message(varint(1, 0))),
    delimited(12, message(delimited(1, '0'))),
    delimited(13, intOrString),
    delimited(14, ''),
    delimited(15, member),
    delimited(24, inner),
  );
  assert.equal(Buffer.from(bytes).toString('hex'), Buffer.from(expected).toString('hex'));
  assert.deepEqual(decodeProtobuf(bytes, everything), {});
  assert.deepEqual(encodeProtobuf({}, everything), bytes);
});

test('fields sort by number and map entries by key, whatever the order in the object', () => {
  const reversed = Object.fromEntries(Object.entries(full()).toReversed());
  assert.deepEqual(encodeProtobuf(reversed, everything), encodeProtobuf(full(), everything));
  const one = encodeProtobuf({ texts: { b: '1', a: '2', '\u{1f600}': '3', '\uffff': '4' } }, everything);
  assert.deepEqual(Object.keys(decodeProtobuf(one, everything).texts as JsonObject), ['a', 'b', '\uffff', '\u{1f600}']);
});

test('a later value replaces an earlier one, messages are merged', () => {
  assert.deepEqual(decode(delimited(1, 'a'), delimited(1, 'b')), { text: 'b' });
  assert.deepEqual(decode(delimited(1, 'a'), delimited(1, '')), {});
  const name = delimited(15, message(delimited(1, 'n')));
  assert.deepEqual(decode(name, delimited(15, message(varint(2, 3)))), { member: { name: 'n', size: 3 } });
  assert.deepEqual(decode(name, delimited(15, message(delimited(1, '')))), {});
});

test('packed lists are read and never written', () => {
  assert.deepEqual(decode(delimited(18, Uint8Array.of(1, 0x80, 0x01)), varint(18, 3)), { numbers: [1, 128, 3] });
  assert.deepEqual(
    encodeProtobuf({ numbers: [1, 2] }, struct('Numbers', [numbersField])),
    Buffer.from([0x08, 1, 0x08, 2]),
  );
});
const numbersField = field(1, 'numbers', { kind: 'list', items: scalar('integer', 'int64', 64) });

test('map entries may lack their key, their value, or both', () => {
  assert.deepEqual(decode(delimited(19, ''), delimited(20, message(delimited(1, 'k')))), {
    texts: { '': '' },
    secrets: { k: '' },
  });
  assert.deepEqual(decode(delimited(21, message(delimited(1, 'k'))), delimited(22, message(delimited(1, 'k')))), {
    amounts: { k: '0' },
    extra: { k: null },
  });
});

test('map entries may have wrong wire types and fields without a number', () => {
  const delimitedAs = (tag: number, text: string): Buffer => Buffer.from([tag, text.length, ...Buffer.from(text)]);
  const entry = (...parts: Buffer[]): JsonValue => decode(delimited(19, Buffer.concat(parts)));
  const key = delimitedAs(0x0a, 'k');
  assert.deepEqual(entry(delimitedAs(0x0b, 'k'), delimitedAs(0x16, 'v')), { texts: { k: 'v' } });
  assert.deepEqual(entry(delimitedAs(0x02, 'x'), key), { texts: { k: '' } });
  fails(() => entry(key, Buffer.of(0x04)), 'proto: unexpected end of group');
  fails(() => entry(key, Buffer.of(0x06)), 'proto: illegal wireType 6');
});

test('unknown fields are dropped, wrong wire types are rejected', () => {
  assert.deepEqual(decode(varint(100, 1), delimited(1, 'a'), delimited(500, 'x')), { text: 'a' });
  fails(() => decode(varint(1, 1)), 'proto: wrong wireType = 0 for field Text');
  fails(() => decode(varint(17, 1)), 'proto: wrong wireType = 0 for field Members');
  fails(() => decode(varint(19, 1)), 'proto: wrong wireType = 0 for field Texts');
  fails(() => decode(varint(24, 1)), 'proto: wrong wireType = 0 for field Everything');
  fails(() => decode(delimited(15, message(varint(1, 1)))), 'proto: wrong wireType = 0 for field Name');
});

test('values that JSON cannot hold are rejected', () => {
  const time = (seconds: bigint, nanos: number): JsonObject =>
    decode(delimited(10, message(varint(1, seconds), varint(2, nanos))));
  fails(() => time(2n ** 62n, 0), 'year outside of range [0,9999]');
  for (const [seconds, micro] of [
    [2n ** 62n, '9999-12-31T23:59:59.000000Z'],
    [-(2n ** 62n), '0000-01-01T00:00:00.000000Z'],
  ] as const) {
    const stored = message(delimited(10, message(varint(1, seconds))));
    assert.deepEqual(decodeProtobuf(stored, everything, { clampsTimes: true }), { micro });
  }
  assert.deepEqual(time(0n, -1000), { micro: '1969-12-31T23:59:59.999999Z' });
  assert.deepEqual(time(-62_135_596_800n, 0), {});
  assert.deepEqual(time(0n, 0), { micro: '1970-01-01T00:00:00.000000Z' });
  fails(() => decode(delimited(13, message(varint(1, 2)))), 'impossible IntOrString.Type');
  assert.throws(() => decode(delimited(12, message(delimited(1, 'x')))), DecodeError);
  const nan = message((writer) => {
    writer.double(Number.NaN);
    writer.varint(tagOf(7, 1));
  });
  fails(() => decodeProtobuf(nan, everything), 'json: unsupported value: NaN');
  assert.deepEqual(decode(delimited(1, Uint8Array.of(0x61, 0xff))), { text: 'a\ufffd' });
});

test('embedded JSON is parsed, embedded protobuf is not', () => {
  const raw = (bytes: Uint8Array | string): JsonObject => decode(delimited(14, message(delimited(1, bytes))));
  assert.deepEqual(raw('{"a":[9007199254740993]}'), { raw: { a: [9_007_199_254_740_993n] } });
  assert.deepEqual(raw('null'), {});
  assert.deepEqual(raw(''), {});
  assert.throws(() => raw('{"a":'), DecodeError);
  fails(
    () => raw(wrapEnvelope('v1', 'Pod', new Uint8Array())),
    'embedded object v1, Kind=Pod is protobuf, only JSON is supported there',
  );
});

test("JSON schemas keep Go's order, and only schemas can be written", () => {
  const schema = (value: JsonValue): JsonObject => roundTrip({ schema: { additionalProperties: value } });
  const written = schema(
    parseJson('{"title":"t","type":"string","items":[{"title":"a","type":"b"}],"unknown":1}').value,
  );
  assert.equal(
    stringifyJson(written),
    '{"schema":{"additionalProperties":{"type":"string","title":"t","items":[{"type":"b","title":"a"}]}}}',
  );
  assert.deepEqual(schema(true), { schema: { additionalProperties: true } });
  assert.deepEqual(schema(false), { schema: { additionalProperties: false } });
  assert.throws(() => schema({ type: 1 }), DecodeError);
  assert.throws(() => schema('x'), DecodeError);
});

test('nesting is bounded for every container', () => {
  const nested = (depth: number, wrap: (inner: Uint8Array) => Uint8Array): Uint8Array => {
    let bytes: Uint8Array = new Uint8Array();
    for (let level = 0; level < depth; level++) bytes = wrap(bytes);
    return message(delimited(25, bytes));
  };
  const within = (inner: Uint8Array): Uint8Array => message(delimited(28, inner));
  const items = (inner: Uint8Array): Uint8Array => message(delimited(24, message(delimited(1, inner))));
  const lists = (inner: Uint8Array): Uint8Array => message(delimited(24, message(delimited(2, inner))));
  for (const [levels, wrap] of [
    [990, within],
    [490, items],
    [330, lists],
  ] as const) {
    const deep = decodeProtobuf(nested(levels, wrap), everything);
    assert.deepEqual(roundTrip(deep), deep);
    fails(() => decodeProtobuf(nested(3000, wrap), everything), 'exceeded max depth');
  }
});

test('the deepest JSON survives a round trip', () => {
  const arrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const raw = `{"raw":${arrays(MAX_JSON_DEPTH - 1)}}`;
  const deepest = decodeTyped(parseJson(raw).value, everything).object;
  assert.deepEqual(roundTrip(deepest), deepest);
  assert.throws(() => decode(delimited(14, message(delimited(1, arrays(MAX_JSON_DEPTH))))), DecodeError);

  const levels = MAX_JSON_DEPTH - 2;
  const items = parseJson(`{"schema":${'{"items":'.repeat(levels)}{}${'}'.repeat(levels)}}`).value as JsonObject;
  assert.ok(encodeProtobuf(items, everything).length > levels);
});

test('values of other types than the schema has are rejected', () => {
  const refused: readonly JsonObject[] = [
    { text: 1 },
    { text: {} },
    { flag: 'true' },
    { small: 1.5 },
    { large: 1e21 },
    { large: '1' },
    { number: 'x' },
    { bytes: 1 },
    { time: 1 },
    { port: true },
    { members: {} },
    { members: ['x'] },
    { member: 'x' },
    { texts: [] },
    { schema: { additionalProperties: [] } },
    { schema: { items: 'x' } },
  ];
  for (const object of refused)
    assert.throws(() => encodeProtobuf(object, everything), DecodeError, JSON.stringify(object));
});

test('JSON is transcoded with its keys in any order', () => {
  const expected = encodeProtobuf(full(), everything);
  const json = encodeTyped(full(), everything);
  assert.deepEqual(transcodeJson(json, everything), expected);
  const reversed = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(reversed);
    if (!isObject(value)) return value;
    const object: JsonObject = {};
    for (const key of Object.keys(value).toReversed()) setOwn(object, key, reversed(value[key] ?? null));
    return object;
  };
  const object = full();
  for (const name of ['memberPointer', 'members', 'schema']) object[name] = reversed(object[name] ?? null);
  object['member'] = { unknown: [{ '"}': '\\"]' }], size: 1, name: 'm', other: null };
  object['unnumbered'] = 'x';
  assert.deepEqual(transcodeJson(encodeJson(object), everything), expected);
});

test('long documents are transcoded in steps, to the same bytes and apart from others', () => {
  const texts = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${(index * 7919) % 20_000}`, 'v']));
  const json = encodeTyped({ ...full(), texts }, everything);
  const transcoding = transcodeJsonInSteps(json, everything);
  let step = transcoding.next();
  assert.notEqual(step.done, true);
  const other = encodeProtobuf(full(), everything);
  while (step.done !== true) step = transcoding.next();
  assert.ok(Buffer.from(step.value).equals(transcodeJson(json, everything)));
  assert.deepEqual(transcodeJsonInSteps(encodeTyped(full(), everything), everything).next(), {
    done: true,
    value: other,
  });
});

test('map keys sort by their decoded text', () => {
  const keys = ['a"b', 'a\\b', 'a!b', 'a', 'ab', '', '<', '__proto__', '\u{1f600}', '\uffff', '1', '10', '2'];
  const texts: JsonObject = {};
  for (const key of keys) setOwn(texts, key, key);
  const decoded = decodeProtobuf(transcodeJson(encodeJson({ texts }), everything), everything);
  assert.deepEqual(decoded, { texts });
  const written = Buffer.from(encodeProtobuf({ texts }, everything)).toString();
  const places = sortedKeys(texts).map((key) =>
    written.indexOf(`\n${String.fromCharCode(Buffer.byteLength(key))}${key}\x12`),
  );
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
  assert.ok(!places.includes(-1));
});

test('JSON that is truncated anywhere is rejected', () => {
  const json = encodeTyped(full(), everything);
  for (let end = 0; end < json.length; end++) {
    assert.throws(() => transcodeJson(json.subarray(0, end), everything), DecodeError, `${end}`);
  }
});

test('objects of any size survive a round trip, and a failure leaves no state', () => {
  const members = Array.from({ length: 100_000 }, (_, index) => ({ name: `${index}`, size: index + 1 }));
  const large = { text: 'x'.repeat(3_000_000), members };
  assert.deepEqual(roundTrip(large), large);
  assert.throws(() => encodeProtobuf({ text: 'a', member: { name: 1 } }, everything), DecodeError);
  assert.deepEqual(roundTrip({ member: { size: 1 } }), { member: { size: 1 } });
});

test('a field is its tag and its message, with the announced length', () => {
  for (const [number, round] of [1, 3000, 20_000].flatMap((size) =>
    [1, 2, 16].map((number) => [number, size] as const),
  )) {
    const object = { text: 'x'.repeat(round) };
    const json = encodeTyped(object, everything);
    const expected = message(delimited(number, encodeProtobuf(object, everything)));
    assert.ok(Buffer.from(messageField(number, json, everything)).equals(expected));
    assert.equal(messageFieldLength(number, json, everything), expected.length);
  }
});

test('any bytes decode to an encodable object, or fail with a declared error', () => {
  const sample = encodeProtobuf(full(), everything);
  const damage = fc.array(fc.tuple(fc.nat(sample.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 });
  const damaged = damage.map((changes) => {
    const bytes = Uint8Array.from(sample);
    for (const [at, byte] of changes) bytes[at] = byte;
    return bytes;
  });
  const truncated = fc.nat(sample.length).map((length) => sample.subarray(0, length));
  fc.assert(
    fc.property(fc.oneof(damaged, truncated, fc.uint8Array({ maxLength: 60 })), (bytes) => {
      try {
        const object = decodeProtobuf(bytes, everything);
        assert.deepEqual(roundTrip(object), object);
      } catch (error) {
        assert.ok(error instanceof DecodeError, error instanceof Error ? error.stack : '');
      }
    }),
    { numRuns: 3000 },
  );
});

test('a long message is decoded in steps, to the same object', () => {
  const many = Array.from({ length: 6000 }, (_, index) => index);
  const named = (value: JsonValue): JsonObject => Object.fromEntries(many.map((index) => [`k${index}`, value]));
  const schema = {
    not: { enum: many },
    items: { dependencies: named({ type: 'object', items: { type: 'string' } }) },
    additionalProperties: { items: many.map((index) => ({ title: `t${index}` })) },
    dependencies: { a: { not: { dependencies: named(['x']) } } },
  };
  const long = {
    ...full(),
    text: 'x'.repeat(100_000),
    members: many.map((index) => ({ name: `m${index}` })),
    verbs: many.map((index) => `v${index}`),
    texts: named('v'),
    schema,
  };
  const bytes = encodeProtobuf(long, everything);
  const { result, yields } = counted(decodeProtobufInSteps(bytes, everything));
  assert.ok(yields >= 20, String(yields));
  assert.deepEqual(result, decodeProtobuf(bytes, everything));
  assert.deepEqual(decodeProtobuf(bytes, everything), long);
});

test('damage of a long message is the same error in steps', () => {
  const deep = { ...full(), schema: { not: { title: 'x'.repeat(40_000), not: full().schema ?? {} } } };
  const sample = encodeProtobuf(deep, everything);
  const outcome = (decoded: () => JsonObject): JsonObject | string => {
    try {
      return decoded();
    } catch (error) {
      assert.ok(error instanceof DecodeError, String(error));
      return error.message;
    }
  };
  fc.assert(
    fc.property(fc.nat(400), fc.nat(255), fc.boolean(), (at, byte, atEnd) => {
      const bytes = Uint8Array.from(sample);
      bytes[atEnd ? bytes.length - 1 - at : at] = byte;
      const steps = () => finish(decodeProtobufInSteps(bytes, everything));
      assert.deepEqual(
        outcome(steps),
        outcome(() => decodeProtobuf(bytes, everything)),
      );
    }),
    { numRuns: 2000 },
  );
});
