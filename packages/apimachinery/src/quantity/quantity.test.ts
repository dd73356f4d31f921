import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { canonicalizeQuantity, Quantity, QuantityError } from './index.js';

const canonical: readonly (readonly [string, string])[] = [
  ['0', '0'],
  ['0m', '0'],
  ['1000m', '1'],
  ['1024Mi', '1Gi'],
  ['0.5', '500m'],
  ['1.5Gi', '1536Mi'],
  ['1.1Gi', '1181116006400m'],
  ['0.5Ki', '512'],
  ['1000', '1k'],
  ['1e3', '1e3'],
  ['10e3', '10e3'],
  ['1E6', '1E6'],
  ['0.1n', '1n'],
  ['0.0000000001', '1n'],
  ['12345678901234567890', '12345678901234567890'],
  ['8Ei', '9223372036854775807'],
  ['-1.5Gi', '-1536Mi'],
  // Upstream keeps the text of these.
  ['+5', '+5'],
  ['1.500', '1.500'],
  ['05', '05'],
];

for (const [text, expected] of canonical) {
  test(`${text} is written as ${expected}`, () => {
    assert.equal(canonicalizeQuantity(text), expected);
  });
}

test("errors have upstream's messages", () => {
  const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  for (const text of ['', 'abc', '1..2', '5 ', '12Kib']) {
    assert.throws(() => Quantity.parse(text), new QuantityError(format));
  }
  for (const text of ['1KK', '--1', '1ee', '1e99999999999999999999']) {
    assert.throws(() => Quantity.parse(text), new QuantityError("unable to parse quantity's suffix"));
  }
  assert.throws(() => Quantity.parse('.e-10'), new QuantityError('unable to parse numeric part of quantity'));
  assert.throws(() => Quantity.parse('1'.repeat(5000)), QuantityError);
});

test('a text that is none is refused in linear time, so a thousand of them take no minutes', () => {
  const texts = ['0'.repeat(1000), '1'.repeat(1000), `1.${'0'.repeat(1000)}`, 'K'.repeat(1000)];
  for (let time = 0; time < 1000; time++)
    for (const text of texts) assert.throws(() => Quantity.parse(`${text}x`), QuantityError);
});

test('quantities add, subtract and compare exactly', () => {
  const sum = Quantity.parse('1Gi').add(Quantity.parse('512Mi'));
  assert.equal(sum.toString(), '1536Mi');
  assert.equal(Quantity.of(0).add(Quantity.parse('1Ki')).toString(), '1Ki');
  assert.equal(Quantity.parse('1').subtract(Quantity.parse('300m')).toString(), '700m');
  assert.ok(Quantity.parse('1.024k').equals(Quantity.parse('1Ki')));
  assert.equal(Quantity.parse('-1').compare(Quantity.parse('1m')), -1);
  assert.equal(Quantity.parse('1').compare(Quantity.parse('-1')), 1);
  assert.equal(Quantity.parse('-3').sign, -1);
});

test('integers are rounded away from zero', () => {
  assert.equal(Quantity.parse('1500m').asInt(), 2n);
  assert.equal(Quantity.parse('-1500m').asInt(), -2n);
  assert.equal(Quantity.parse('100u').milliValue(), 1n);
  assert.equal(Quantity.ofMilli(2500).toString(), '2500m');
  assert.equal(Quantity.parse('1.5').asNumber(), 1.5);
});

test('work is bounded for any exponent', () => {
  const huge = Quantity.parse('1e2000000000');
  assert.equal(huge.compare(Quantity.parse('1')), 1);
  assert.ok(huge.add(Quantity.parse('1')).equals(huge));
  assert.equal(huge.asInt(), 2n ** 63n - 1n);
  assert.equal(huge.toString(), '100e1999999998');
  assert.equal(Quantity.parse('1e-2000000000').toString(), '1e-9');
});

test('formatting and parsing keep the amount', () => {
  const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'e3', 'E-3');
  fc.assert(
    fc.property(fc.integer(), fc.nat(999_999), suffix, (whole, fraction, unit) => {
      const quantity = Quantity.parse(`${whole}.${fraction}${unit}`);
      assert.ok(Quantity.parse(quantity.toString()).equals(quantity) || unit === 'E');
    }),
  );
});

test('any text is parsed or rejected with the declared error', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('0123456789.+-eEinumkKMGTP')) }), (text) => {
      try {
        Quantity.parse(text).toString();
      } catch (error) {
        assert.ok(error instanceof QuantityError);
      }
    }),
  );
});
