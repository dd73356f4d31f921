import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  formatDuration,
  formatMicroTime,
  formatTime,
  normalizeMicroTime,
  normalizeTime,
  parseDuration,
  parseMicroTime,
  parseTime,
  TimeParseError,
} from './index.js';

test('times are normalized to UTC and whole seconds', () => {
  assert.equal(normalizeTime('2020-01-01T00:00:00.9+02:00'), '2019-12-31T22:00:00Z');
  assert.equal(normalizeTime('2024-02-29T3:04:05,5-23:59'), '2024-03-01T03:03:05Z');
  assert.equal(normalizeTime('0001-01-01T00:00:00Z'), undefined);
  assert.equal(normalizeTime('0001-01-01T00:00:00.5Z'), undefined);
  assert.equal(normalizeMicroTime('0001-01-01T00:00:00.000000Z'), undefined);
  assert.equal(normalizeMicroTime('2020-01-01T00:00:00.123456+02:00'), '2019-12-31T22:00:00.123456Z');
  assert.equal(parseTime('1970-01-01T00:00:01.5Z'), 1500);
  assert.equal(formatTime(1500), '1970-01-01T00:00:01Z');
  assert.equal(formatTime(-1), '1969-12-31T23:59:59Z');
  assert.equal(formatMicroTime(1500), '1970-01-01T00:00:01.500000Z');
  assert.equal(formatMicroTime(1000.0075), '1970-01-01T00:00:01.000007Z');
  assert.equal(formatMicroTime(1999.999), '1970-01-01T00:00:01.999999Z');
  assert.equal(formatMicroTime(2000), '1970-01-01T00:00:02.000000Z');
  assert.equal(formatTime(1000), '1970-01-01T00:00:01Z');
});

test('a normalized time can be parsed again, or is refused', () => {
  assert.equal(normalizeTime('9999-12-31T23:59:59Z'), '9999-12-31T23:59:59Z');
  assert.equal(normalizeTime('0000-01-01T00:00:00Z'), '0000-01-01T00:00:00Z');
  for (const [text, micro] of [
    ['9999-12-31T23:59:59-01:00', '9999-12-31T23:59:59.000000-01:00'],
    ['0000-01-01T00:00:00+01:00', '0000-01-01T00:00:00.000000+01:00'],
  ] as const) {
    const wrong = ': year outside of range [0,9999]';
    assert.throws(() => normalizeTime(text), new TimeParseError(`parsing time "${text}"${wrong}`));
    assert.throws(() => normalizeMicroTime(micro), new TimeParseError(`parsing time "${micro}"${wrong}`));
  }
});

const wrongTimes: readonly (readonly [string, string])[] = [
  ['x', 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
  ['2020', 'parsing time "2020" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "-"'],
  ['2020-13-01T00:00:00Z', 'parsing time "2020-13-01T00:00:00Z": month out of range'],
  ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
  ['2020-01-01T24:00:00Z', 'parsing time "2020-01-01T24:00:00Z": hour out of range'],
  [
    '2020-01-01T00:00:00',
    'parsing time "2020-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
  ],
  ['2020-01-01T00:00:00ZZ', 'parsing time "2020-01-01T00:00:00ZZ": extra text: "Z"'],
  ['\u00e9"', 'parsing time "\\xc3\\xa9\\"" as "2006-01-02T15:04:05Z07:00": cannot parse "\\xc3\\xa9\\"" as "2006"'],
];

for (const [text, message] of wrongTimes) {
  test(`the error for the time ${JSON.stringify(text)} is Go's`, () => {
    assert.throws(() => parseTime(text), new TimeParseError(message));
  });
}

test('a micro time requires six digits', () => {
  assert.throws(
    () => parseMicroTime('2020-01-01T00:00:00Z'),
    new TimeParseError(
      'parsing time "2020-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    ),
  );
});

test('durations are formatted as in Go', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['0', '0s'],
    ['1h90s', '1h1m30s'],
    ['-1.5s', '-1.5s'],
    ['1500us', '1.5ms'],
    ['1001ns', '1.001\u00b5s'],
    ['.5m', '30s'],
    ['2562047h47m16.854775807s', '2562047h47m16.854775807s'],
  ];
  for (const [text, expected] of texts) assert.equal(formatDuration(parseDuration(text)), expected);
  assert.throws(() => parseDuration(''), new TimeParseError('time: invalid duration ""'));
  assert.throws(() => parseDuration('1'), new TimeParseError('time: missing unit in duration "1"'));
  assert.throws(() => parseDuration('1d'), new TimeParseError('time: unknown unit "d" in duration "1d"'));
  assert.throws(() => parseDuration('9223372036854775808ns'), /invalid duration/);
});

test('times and durations survive a round trip', () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_799, max: 253_402_300_799 }), (seconds) => {
      assert.equal(parseTime(formatTime(seconds * 1000)), seconds * 1000);
      assert.equal(parseMicroTime(formatMicroTime(seconds * 1000)), seconds * 1000);
    }),
  );
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (nanoseconds) => {
      assert.equal(parseDuration(formatDuration(nanoseconds)), nanoseconds);
    }),
  );
});
