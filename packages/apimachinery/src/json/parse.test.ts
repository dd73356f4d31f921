import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { JsonNumberRangeError, JsonSyntaxError, MAX_JSON_DEPTH, parseJson, parseJsonInSteps } from './index.js';

test('integers are exact, and other numbers are doubles', () => {
  const { value, details } = parseJson('[9007199254740993,-9223372036854775808,9223372036854775808,-0,1.0,1e3]');
  assert.ok(Array.isArray(value));
  assert.deepEqual(value, [9007199254740993n, -9223372036854775808n, 9223372036854775808, 0, 1, 1000]);
  assert.deepEqual(
    value.map((_, index) => details?.numberTexts.get(value)?.get(index)),
    [undefined, undefined, '9223372036854775808', undefined, '1.0', '1e3'],
  );
  assert.equal(parseJson('{"a":[1,-2]}').details, undefined);
});

test('a number beyond all doubles is rejected after the document is found to be well-formed', () => {
  assert.throws(() => parseJson('[1e999]'), new JsonNumberRangeError('1e999'));
  assert.throws(() => parseJson('[1e999,]'), JsonSyntaxError);
});

test('the last of duplicate keys wins, and their paths are reported', () => {
  const parsed = parseJson('{"a":[{"b":1,"b":2}],"x":{"y":1},"x":{"z":1},"__proto__":1,"__proto__":2}');
  assert.deepEqual(parsed.duplicates, ['a[0].b', 'x', '__proto__']);
  assert.equal(JSON.stringify(parsed.value), '{"a":[{"b":2}],"x":{"z":1},"__proto__":2}');
  assert.deepEqual(parseJson('[{"b":1,"b":2}]').duplicates, ['[0].b']);
});

test('keys of the prototype are data', () => {
  const { value } = parseJson('{"__proto__":{"polluted":true},"constructor":1,"toString":2}');
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal(JSON.stringify(value), '{"__proto__":{"polluted":true},"constructor":1,"toString":2}');
});

const wrong: readonly (readonly [string, string, number])[] = [
  ['', 'unexpected end of JSON input', 0],
  ['{"apiVersion":"v1",', 'unexpected end of JSON input', 19],
  ['{"a":1]', "invalid character ']' after object key:value pair", 7],
  ['{"a" 1}', "invalid character '1' after object key", 6],
  ['{a:1}', "invalid character 'a' looking for beginning of object key string", 2],
  ['[1 2]', "invalid character '2' after array element", 4],
  ['[1,]', "invalid character ']' looking for beginning of value", 4],
  ['{} x', "invalid character 'x' after top-level value", 4],
  ['01', "invalid character '1' after top-level value", 2],
  ['-', "invalid character ' ' in numeric literal", 1],
  ['1.', "invalid character ' ' after decimal point in numeric literal", 2],
  ['1e+x', "invalid character 'x' in exponent of numeric literal", 4],
  ['[tru', "invalid character ' ' in literal true (expecting 'e')", 4],
  ['nuxl', "invalid character 'x' in literal null (expecting 'l')", 3],
  ['"a\nb"', "invalid character '\\n' in string literal", 3],
  ['"\\x"', "invalid character 'x' in string escape code", 3],
  ['"\\u0041\\"', 'unexpected end of JSON input', 9],
  ['"\\u12', "invalid character ' ' in \\u hexadecimal character escape", 5],
  ['"\\n\u0001"', "invalid character '\\x01' in string literal", 4],
  ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape", 6],
  ['{"\u00e9" \u00e9}', "invalid character '\u00c3' after object key", 7],
  ["'a'", "invalid character '\\'' looking for beginning of value", 1],
];

for (const [text, message, offset] of wrong) {
  test(`the error for ${JSON.stringify(text)} is Go's`, () => {
    for (const source of [text, Buffer.from(text)]) {
      assert.throws(() => parseJson(source), new JsonSyntaxError(message, offset));
    }
  });
}

test('an invalid UTF-8 byte becomes U+FFFD in a string, and is named in an error outside of one', () => {
  assert.equal(parseJson(Buffer.from([0x22, 0xe2, 0x82, 0x22])).value, '\ufffd\ufffd');
  assert.throws(
    () => parseJson(Buffer.from([0xff])),
    new JsonSyntaxError("invalid character '\u00ff' looking for beginning of value", 1),
  );
});

test('lone surrogates become U+FFFD', () => {
  assert.deepEqual(parseJson('["\\ud83d\\ude00","\\ud83dx","\\ude00","\\ud83d\\ud83d\\ude00"]').value, [
    '\u{1f600}',
    '\ufffdx',
    '\ufffd',
    '\ufffd\u{1f600}',
  ]);
  assert.equal(parseJson('"\ud83d"').value, '\ufffd');
});

test('depth is bounded', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  assert.equal(parseJson(nested(MAX_JSON_DEPTH)).duplicates.length, 0);
  assert.throws(
    () => parseJson(nested(MAX_JSON_DEPTH + 1)),
    /^JsonSyntaxError: invalid character '\[' exceeded max depth$/,
  );
  assert.throws(() => parseJson('{"a":'.repeat(1_000_000)), /exceeded max depth/);
});

test('keys are bounded on request', () => {
  const text = '[{"a":1},{"b":{"a":1}}]';
  assert.deepEqual(parseJson(text, { maxKeys: 3 }).value, [{ a: 1 }, { b: { a: 1 } }]);
  for (const source of [text, Buffer.from(text)]) {
    assert.throws(
      () => parseJson(source, { maxKeys: 2 }),
      /^JsonSyntaxError: invalid character '"' exceeded max keys$/,
    );
  }
});

test('agrees with JSON.parse on every document with safe numbers', () => {
  const number = fc.oneof(fc.maxSafeInteger(), fc.double({ min: -1e9, max: 1e9, noNaN: true }));
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      fc.constantFrom(null, true, false),
      number,
      fc.string({ unit: 'binary' }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, '\t'), (original, space) => {
      const text = JSON.stringify(original, undefined, space);
      const expected: unknown = JSON.parse(text);
      assert.deepEqual(parseJson(text).value, expected);
      assert.deepEqual(parseJson(Buffer.from(text)).value, expected);
    }),
  );
});

test('any text is parsed or rejected with a declared error', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '\\u',
    '\\ud800',
    '1',
    '-',
    '.5',
    'e9',
    'true',
    'nul',
    ' ',
    '"__proto__":',
    '\u0000',
    '\u00e9',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      try {
        parseJson(Buffer.from(pieces.join('')));
      } catch (error) {
        assert.ok(error instanceof JsonSyntaxError || error instanceof JsonNumberRangeError);
      }
    }),
  );
});

test('on request, a number beyond all doubles is an error in the details, as are earlier values of a key', () => {
  const { details } = parseJson('{"a":1e400,"b":1.0,"b":[2]}', { keepRangeError: true });
  assert.match(details?.rangeError?.message ?? '', /1e400/);
  const [[, keys] = []] = details?.duplicateKeys ?? [];
  assert.deepEqual(keys?.get('b'), [{ b: 1 }]);
});

test('a large document is parsed in steps, well-formed or not', () => {
  const steps = (text: string): number => {
    let count = 0;
    try {
      for (const _ of parseJsonInSteps(text)) count++;
    } catch (error) {
      assert.ok(error instanceof JsonSyntaxError);
    }
    return count;
  };
  const items = '{"a":[1]},'.repeat(10_000);
  assert.equal(steps(`[${items}1]`), 7);
  assert.equal(steps(`[${items}`), 14, 'a second time for the error');
});
