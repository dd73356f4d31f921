import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { getOwn, isObject, type JsonValue, MAX_JSON_DEPTH, parseJson } from '../json/index.js';
import { isCbor } from '../serializer/index.js';
import { counted } from '../testing/index.js';
import {
  CborError,
  decodeCbor,
  decodeCborInSteps,
  encodeCbor,
  encodeCborInSteps,
  encodeCborItem,
  frameWatchEvent,
  aroundList,
} from './index.js';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex');
const decode = (text: string): JsonValue => decodeCbor(bytes(text)).value;

/** Encoded and decoded. The values and their encodings are those of RFC 8949, appendix A. */
const bothWays: readonly (readonly [JsonValue, string])[] = [
  [0, '00'],
  [23, '17'],
  [24, '1818'],
  [255, '18ff'],
  [1000, '1903e8'],
  [1_000_000, '1a000f4240'],
  [1_000_000_000_000, '1b000000e8d4a51000'],
  [9007199254740993n, '1b0020000000000001'],
  [9223372036854775807n, '1b7fffffffffffffff'],
  [-1, '20'],
  [-1000, '3903e7'],
  [-9223372036854775808n, '3b7fffffffffffffff'],
  [1.1, 'fb3ff199999999999a'],
  [1.5, 'f93e00'],
  [-0.5, 'f9b800'],
  [5.960464477539063e-8, 'f90001'],
  [0.00006103515625, 'f90400'],
  [0.333251953125, 'f93555'],
  [65504.5, 'fa477fe080'],
  [-4.1, 'fbc010666666666666'],
  [1e300, 'fb7e37e43c8800759c'],
  [3.4028234663852886e38, 'fa7f7fffff'],
  [false, 'f4'],
  [true, 'f5'],
  [null, 'f6'],
  ['', '40'],
  ['IETF', '4449455446'],
  ['\u00fc\u6c34', '45c3bce6b0b4'],
  ['\ud800\udd51', '44f0908591'],
  ['a'.repeat(24), `5818${'61'.repeat(24)}`],
  [[], '80'],
  [[1, [2, 3], null], '83018202 03f6'],
  [{}, 'a0'],
  [{ b: 1, aa: 2, c: 3, '\u00fc': 4 }, 'a4 4162 01 4163 03 426161 02 42c3bc 04'],
];

describe('encodeCbor, decodeCbor', () => {
  for (const [value, item] of bothWays) {
    it(`encodes and decodes ${item.slice(0, 40)}`, () => {
      const expected = hex(bytes(item));
      assert.equal(hex(encodeCborItem(value)), expected);
      assert.equal(hex(encodeCbor(value)), `d9d9f7${expected}`);
      assert.deepEqual(decodeCbor(bytes(item)).value, value);
      assert.deepEqual(decodeCbor(encodeCbor(value)).value, value);
    });
  }

  it('decodes the forms of other encoders to the same values', () => {
    const cases: readonly (readonly [string, JsonValue])[] = [
      ['6161', 'a'],
      ['1b0000000000000001', 1],
      ['fb3ff0000000000000', 1],
      ['fa47c35000', 100000],
      ['f98000', -0],
      ['5f4261624163ff', 'abc'],
      ['7f6161 60 6162ff', 'ab'],
      ['9f0102ff', [1, 2]],
      ['bf6161014162 02ff', { a: 1, b: 2 }],
      ['d9d9f7d9d9f700', 0],
      ['d82063612f62', 'a/b'],
      ['d643fffeff', '//7/'],
      ['d543fffeff', '__7_'],
      ['d743fffeff', 'fffeff'],
      ['d65f41ff42feffff', '//7/'],
      ['d6824161d74161', ['YQ==', '61']],
      ['d66161', 'a'],
      ['42fffe', '\ufffd\ufffd'],
      ['5f41c341bcff', '\u00fc'],
      ['c074323031332d30332d32315432303a30343a30305a', '2013-03-21T20:04:00Z'],
      ['c11a514b67b0', '2013-03-21T20:04:00Z'],
      ['c1fb41d452d9ec200000', '2013-03-21T20:04:00.5Z'],
      ['c1fb41d452d9ec199999', '2013-03-21T20:04:00.399999856Z'],
      ['c1f9cd3a', '1969-12-31T23:59:39.09375Z'],
      ['c1faa26cd937', '1970-01-01T00:00:00Z'],
      ['a1d6426162 f6', { 'YWI=': null }],
      ['a2f600416101', { '': 0, a: 1 }],
    ];
    for (const [item, expected] of cases) assert.deepEqual(decode(item), expected, item);
  });

  it('keeps that a whole float is a float, as JSON text would', () => {
    const { value, details } = decodeCbor(bytes('a2 4161 f93c00 4162 82 02 fa47c35000'));
    assert.deepEqual(value, { a: 1, b: [2, 100000] });
    assert.ok(isObject(value) && Array.isArray(value.b));
    assert.deepEqual(details?.numberTexts.get(value), new Map([['a', '1.0']]));
    assert.deepEqual(details.numberTexts.get(value.b), new Map([[1, '100000.0']]));
    assert.equal(decodeCbor(bytes('82 02 f93e00')).details, undefined);
  });

  it('treats keys as data, whatever their names', () => {
    const tree = parseJson('{"__proto__":{"admin":true},"constructor":1,"toString":null}').value;
    assert.deepEqual(decodeCbor(encodeCbor(tree)).value, tree);
    const decoded = decode('a1 495f5f70726f746f5f5f a1 4161 f5');
    assert.ok(isObject(decoded));
    assert.equal(Object.getPrototypeOf(decoded), Object.prototype);
    assert.deepEqual(getOwn(decoded, '__proto__'), { a: true });
    assert.equal(decoded.a, undefined);
    assert.throws(() => decode(`a2 ${'495f5f70726f746f5f5f 01'.repeat(2)}`), CborError);
  });

  it('omits absent fields and never writes a lone surrogate', () => {
    assert.equal(hex(encodeCborItem({ a: undefined, b: 1 })), 'a1416201');
    assert.equal(hex(encodeCborItem('\ud800')), '43efbfbd');
  });

  it('encodes and decodes documents of any size', () => {
    const tree = Array.from({ length: 3000 }, (_, index) => ({ name: `n${index}`, text: 'x'.repeat(index) }));
    assert.deepEqual(decodeCbor(encodeCbor(tree)).value, tree);
  });

  it('recognizes CBOR by its prefix', () => {
    assert.ok(isCbor(encodeCbor({})));
    for (const other of ['', 'd9d9', 'a0', '7b7d', '6b387300']) assert.ok(!isCbor(bytes(other)), other);
  });
});

describe('hostile bytes', () => {
  const refused: readonly (readonly [string, string])[] = [
    ['', 'EOF'],
    ['d9d9f7', 'unexpected EOF'],
    ['18', 'unexpected EOF'],
    ['4261', 'unexpected EOF'],
    ['5b7fffffffffffffff', 'unexpected EOF'],
    ['5bffffffffffffffff', 'cbor: byte string length 18446744073709551615 is too large, causing integer overflow'],
    ['7b0000000100000000', 'unexpected EOF'],
    ['9a7fffffff00', 'unexpected EOF'],
    ['9a8000000000', 'cbor: exceeded max number of elements 2147483647 for CBOR array'],
    ['9bffffffffffffffff', 'cbor: array length 18446744073709551615 is too large, it would cause integer overflow'],
    ['ba00200000', 'unexpected EOF'],
    ['ba0020000100', 'cbor: exceeded max number of key-value pairs 2097152 for CBOR map'],
    ['a1', 'unexpected EOF'],
    ['a16161', 'unexpected EOF'],
    ['9f01', 'unexpected EOF'],
    ['5f4161', 'unexpected EOF'],
    ['0001', 'cbor: 1 bytes of extraneous data starting at index 1'],
    ['ff', 'cbor: unexpected "break" code'],
    ['81ff', 'cbor: unexpected "break" code'],
    ['bf6161ff', 'cbor: unexpected "break" code'],
    ['1c', 'cbor: invalid additional information 28 for type positive integer'],
    ['3f', 'cbor: invalid additional information 31 for type negative integer'],
    ['df00', 'cbor: invalid additional information 31 for type tag'],
    ['f818', 'cbor: invalid simple value 24 for type primitives'],
    ['5f6161ff', 'cbor: wrong element type UTF-8 text string for indefinite-length byte string'],
    ['5f5fffff', 'cbor: indefinite-length byte string chunk is not definite-length'],
    ['61ff', 'cbor: invalid UTF-8 string'],
    ['7f61c361bcff', 'cbor: invalid UTF-8 string'],
    ['a2416101416102', 'cbor: found duplicate map key "a" at map element index 1'],
    ['a2416101616102', 'cbor: found duplicate map key "a" at map element index 1'],
    ['a1a000', 'cbor: cannot unmarshal map into Go value of type string'],
    ['a10102', 'cbor: cannot unmarshal positive integer into Go value of type string'],
    ['a2416100f600', 'cbor: cannot unmarshal primitives into Go value of type string'],
    ['a20102', 'unexpected EOF'],
    [
      '1b8000000000000000',
      "cbor: cannot unmarshal positive integer into Go value of type int64 (9223372036854775808 overflows Go's int64)",
    ],
    [
      '3b8000000000000000',
      "cbor: cannot unmarshal negative integer into Go value of type int64 (-9223372036854775809 overflows Go's int64)",
    ],
    ['c249010000000000000000', 'cbor: data item of cbor type tag is not accepted by protocol: bignum'],
    ['f7', 'cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized'],
    ['e0', 'cbor: data item of cbor type primitives is not accepted by protocol: simple value 0 is not recognized'],
    ['f8ff', 'cbor: data item of cbor type primitives is not accepted by protocol: simple value 255 is not recognized'],
    ['f97e00', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN'],
    ['fa7f800000', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point infinity'],
    ['c001', 'cbor: tag number 0 must be followed by text string, got positive integer'],
    ['c0416c', 'cbor: tag number 0 must be followed by text string, got byte string'],
    [
      'c0616c',
      'cbor: cannot set l for time.Time: parsing time "l" as "2006-01-02T15:04:05Z07:00": cannot parse "l" as "2006"',
    ],
    ['c14131', 'cbor: tag number 1 must be followed by integer or floating-point number, got byte string'],
    ['c1d76131', 'cbor: tag number 1 must be followed by integer or floating-point number, got tag'],
    [
      'c11b000000e8d4a51000',
      'cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: ' +
        'Time.MarshalText: year outside of range [0,9999]',
    ],
  ];
  for (const [item, message] of refused) {
    it(`${item === '' ? 'nothing' : item}: ${message}`, () => {
      assert.throws(() => decode(item), { name: 'CborError', message });
    });
  }

  it('bounds the depth of arrays, maps and tags well below the stack size', () => {
    const nested = (head: string, levels: number): Buffer => bytes(head.repeat(levels) + 'f6');
    assert.ok(decodeCbor(nested('81', MAX_JSON_DEPTH)).value !== null);
    for (const head of ['81', '9f', 'a14161', 'bf4161', 'd6', 'd9d9f7']) {
      assert.throws(() => decodeCbor(nested(head, 1_000_000)), {
        name: 'CborError',
        message: `cbor: exceeded max nested level ${MAX_JSON_DEPTH}`,
      });
    }
  });

  it('decodes truncated or modified bytes to a value, or throws a CborError', () => {
    const whole = encodeCbor({
      kind: 'Pod',
      list: [1, -1, 1.5, 1e300, true, null, { a: 'b'.repeat(300) }],
      big: 2n ** 62n,
    });
    for (let length = 0; length < whole.length; length++) {
      assert.throws(() => decodeCbor(whole.subarray(0, length)), CborError);
    }
    let seed = 1;
    for (let round = 0; round < 20_000; round++) {
      const mutant = Buffer.from(whole);
      for (let change = 0; change < 3; change++) {
        seed = (seed * 48271) % 0x7fffffff;
        mutant[seed % mutant.length] = (seed >> 8) & 0xff;
      }
      try {
        decodeCbor(mutant);
      } catch (error) {
        assert.ok(error instanceof CborError, String(error));
      }
    }
  });
});

describe('parts of documents', () => {
  it('builds a list document around its encoded items', () => {
    const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '7' } };
    const items = [{ a: 1 }, { b: 2 }];
    const { before, after } = aroundList(list, 'items', items.length);
    const whole = Buffer.concat([before, ...items.map((item) => encodeCborItem(item)), after]);
    assert.equal(hex(whole), hex(encodeCbor({ ...list, items })));
  });

  it('frames an event as a document that contains the whole document of its object', () => {
    const object = { kind: 'Pod' };
    const frame = frameWatchEvent('ADDED', encodeCbor(object));
    assert.equal(
      hex(frame),
      'd9d9f7a2 4474797065 454144444544 466f626a656374 d9d9f7a1446b696e6443506f64'.replaceAll(' ', ''),
    );
    assert.deepEqual(decodeCbor(frame).value, { type: 'ADDED', object });
  });
});

it('rejects more items than JSON has room for', () => {
  const ones = (count: number): Buffer => {
    const items = Buffer.alloc(5 + count, 1);
    items[0] = 0x9a;
    items.writeUInt32BE(count, 1);
    return items;
  };
  assert.equal((decodeCbor(ones(1_572_863)).value as JsonValue[]).length, 1_572_863);
  assert.throws(() => decodeCbor(ones(1_572_864)), {
    name: 'CborError',
    message: 'cbor: exceeded max number of data items 1572864',
  });
});

test('a large document is decoded in steps', () => {
  const many = Array.from({ length: 50_000 }, (_, index) => index);
  for (const value of [
    many,
    Object.fromEntries(many.map((index) => [`k${index}`, 'v'])),
    many.map((index) => [index]),
  ]) {
    const document = encodeCbor(value);
    const { yields } = counted(decodeCborInSteps(document));
    assert.ok(yields >= 25, String(yields));
    assert.deepEqual(decodeCbor(document).value, value);
  }
});

test('a large document is encoded in steps, to the same bytes', () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => `${'k'.repeat(index % 3)}${(index * 7919) % 20_000}`);
  for (const value of [
    keys,
    { é: Object.fromEntries(keys.map((key) => [key, 'v'])), '': [1.5, null, true, 9007199254740993n] },
    keys.map((key) => ({ [key]: undefined, name: key })),
  ]) {
    const { result, yields } = counted(encodeCborInSteps(value));
    assert.ok(yields >= 5, String(yields));
    assert.ok(result.equals(encodeCbor(value)));
  }
});
