import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { MAX_JSON_DEPTH, parseJson, readJson } from './index.js';

const read = (text: string) => readJson(Buffer.from(text));

/** The value of a document, or its error. */
function outcome(run: () => unknown): unknown {
  try {
    return { value: run() };
  } catch (error) {
    return { error: String(error) };
  }
}

const texts = [
  '{"a":[9007199254740993,-9223372036854775808,9223372036854775808,9007199254740991]}',
  '[-0,0,-0.0,1.0,1e3,1e300,0.1,1e-7,123456789012345678901234567890,-9007199254740992]',
  '-0',
  ' 9007199254740993',
  '"\\ud800"',
  '["\\uD83D\\uDE00","\\udc00\\ud800","\\\\ud800","\\u00e9"]',
  '{"__proto__":{"polluted":true},"constructor":1,"toString":null}',
  '{"a":1,"a":{"b":2}}',
  '[1e999]',
  '{"a":1]',
  '{"a":01}',
  '',
  '"\u{1f600}"',
];
for (const text of texts) {
  test(`agrees with parseJson: ${text}`, () => {
    assert.deepEqual(
      outcome(() => read(text)),
      outcome(() => parseJson(text).value),
    );
  });
}

test('negative zero becomes zero', () => {
  const [zero] = read('[-0]') as [number];
  assert.ok(Object.is(zero, 0));
});

test('depth is bounded', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  assert.ok(Array.isArray(read(nested(MAX_JSON_DEPTH))));
  assert.throws(() => read(nested(MAX_JSON_DEPTH + 1)), /exceeded max depth/);
  assert.throws(() => read(`{"a":${nested(MAX_JSON_DEPTH)}}`), /exceeded max depth/);
});

test('invalid UTF-8 is replaced', () => {
  const bytes = Buffer.from([0x22, 0x61, 0xff, 0xc3, 0x22]);
  assert.equal(readJson(bytes), 'a\ufffd\ufffd');
});

test('agrees with parseJson on any input', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
      const bytes = Buffer.from(text);
      assert.deepEqual(readJson(bytes), parseJson(bytes).value);
    }),
    { numRuns: 500 },
  );
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"a"',
    ':',
    ',',
    '1',
    '-0',
    '12345678901234567890',
    '"\\ud812"',
    ' ',
    'null',
  );
  fc.assert(
    fc.property(fc.array(pieces), (each) => {
      const bytes = Buffer.from(each.join(''));
      assert.deepEqual(
        outcome(() => readJson(bytes)),
        outcome(() => parseJson(bytes).value),
      );
    }),
    { numRuns: 2000 },
  );
});

test('the result does not retain the text', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heapInUse = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = heapInUse();
  const document = Buffer.from(`["a string that is worth cutting out","${'x'.repeat(1_000_000)}"]`);
  const held = Array.from({ length: 50 }, () => (readJson(document) as string[])[0]);
  assert.ok(heapInUse() - before < 10_000_000, 'fifty texts would be fifty megabytes');
  assert.equal(held.length, 50);
});
