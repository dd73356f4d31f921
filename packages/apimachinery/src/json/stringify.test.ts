import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { finish } from '../work/index.js';
import {
  compareUtf8,
  encodeJson,
  encodeJsonInSteps,
  indentJson,
  type JsonValue,
  parseJson,
  quoteJson,
  stringifyJson,
} from './index.js';

test('strings are escaped as in Go, including HTML', () => {
  assert.equal(
    stringifyJson('<a>&"\\\u2028\u2029\u007f\b\f\n\r\t\u0001\u00e9'),
    '"\\u003ca\\u003e\\u0026\\"\\\\\\u2028\\u2029\u007f\\b\\f\\n\\r\\t\\u0001\u00e9"',
  );
  assert.equal(quoteJson('\ud800x'), '"\ufffdx"');
  const long = 'a'.repeat(100);
  assert.equal(stringifyJson([long, `${long}<`]), `["${long}","${long}\\u003c"]`);
});

test('numbers are written as in Go', () => {
  assert.equal(
    stringifyJson([1e21, 1e20, 1e-7, 0.000001, -0, 1.5, 9007199254740993n]),
    '[1e+21,100000000000000000000,1e-7,0.000001,-0,1.5,9007199254740993]',
  );
  assert.throws(() => stringifyJson([Number.NaN]), new RangeError('json: unsupported value: NaN'));
  assert.equal(stringifyJson([1]), '[1]');
});

test('keys sort by their UTF-8 bytes', () => {
  const value = { '\u{10000}': 1, '\uffff': 2, b: 3, a: undefined, B: 4, '10': 5, '9': 6 };
  assert.equal(stringifyJson(value, { sortKeys: true }), '{"10":5,"9":6,"B":4,"b":3,"\uffff":2,"\u{10000}":1}');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      assert.equal(Math.sign(compareUtf8(a, b)), Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
    }),
  );
});

test('keys keep their order, and are sorted in an object with keys such as "10", which the engine puts first', () => {
  for (const [text, expected] of [
    ['{"b":1,"a":2}', '{"b":1,"a":2}'],
    ['{"a":1,"10":2,"9":3,"B":4}', '{"10":2,"9":3,"B":4,"a":1}'],
    ['[{"10":1,"2":2,"$":3}]', '[{"$":3,"10":1,"2":2}]'],
    ['{"b":1,"4294967295":2,"a":3}', '{"b":1,"4294967295":2,"a":3}'],
    ['{"01":1,"00":2}', '{"01":1,"00":2}'],
  ] as const) {
    const { value } = parseJson(text);
    assert.equal(stringifyJson(value), expected);
    assert.equal(Buffer.from(finish(encodeJsonInSteps(value))).toString(), expected);
  }
  const large = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [String(index), index]));
  assert.deepEqual(Buffer.from(finish(encodeJsonInSteps(large))), Buffer.from(encodeJson(large)));
});

test('a document larger than the shared buffer is written whole', () => {
  const value = Array.from({ length: 50_000 }, (_, index) => ({ key: `value ${index} \u00e9` }));
  assert.deepEqual(parseJson(encodeJson(value)).value, value);
});

test('stringify and parse round-trip', () => {
  const json = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.maxSafeInteger(),
      fc.bigInt(2n ** 53n, 2n ** 63n - 1n),
      fc.string({ unit: 'binary' }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'constructor', '1')),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  })).value;
  fc.assert(
    fc.property(json, fc.boolean(), (value, sortKeys) => {
      const text = stringifyJson(value, { sortKeys });
      assert.equal(stringifyJson(parseJson(text).value, { sortKeys }), text);
      assert.deepEqual(parseJson(indentJson(text)).value, parseJson(text).value);
    }),
  );
});

test('indents as Go does', () => {
  assert.equal(
    indentJson('{"a":{},"b":[],"c":[1,{"d":"x, {y}: \\"z\\""}]}'),
    '{\n  "a": {},\n  "b": [],\n  "c": [\n    1,\n    {\n      "d": "x, {y}: \\"z\\""\n    }\n  ]\n}',
  );
  assert.equal(indentJson('"a"'), '"a"');
});
