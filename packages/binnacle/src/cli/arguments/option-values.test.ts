import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  parseBytes,
  parseDecimal,
  parseMilliseconds,
  parseNumber,
  parsePort,
  parseRate,
  parseSeconds,
  parseShare,
  parseSwitch,
  textOption,
  type ValueParser,
  valueOption,
} from './option-values.js';

const cases: Readonly<
  Record<string, [ValueParser<unknown>, Readonly<Record<string, unknown>>, readonly string[], RegExp]>
> = {
  ports: [parsePort, { '0': 0, '65535': 65_535 }, ['65536', '-1', '1.5', 'http', ''], /is not a port/],
  seconds: [
    parseSeconds,
    { '0': 0, '999999999': 999_999_999 },
    ['1s', '-1', '1000000000'],
    /is not a number of seconds/,
  ],
  numbers: [parseNumber, { '0': 0, '999999999999999': 999_999_999_999_999 }, ['1.5', '1e3', ''], /is not a number/],
  rates: [parseRate, { '1': 1, '2.5': 2.5 }, ['0', '0.9', '1.0001'], /is not a rate/],
  decimals: [parseDecimal, { '0': 0, '0.1': 0.1 }, ['.5', '-1'], /is not a number/],
  shares: [parseShare, { '0': 0, '1': 1, '0.5': 0.5 }, ['1.1', 'half'], /is not a share/],
  bytes: [
    parseBytes,
    { '7': 7, '2Ki': 2048, '8191Ti': 8191 * 1024 ** 4 },
    ['2GB', '8192Ti', '-1', ''],
    /is not a size/,
  ],
  durations: [
    parseMilliseconds,
    { '0': 0, '1m30s': 90_000, '1us': 0.001 },
    ['5', '-1s', '1d', ''],
    /is not a duration/,
  ],
  switches: [parseSwitch, { true: true, false: false }, ['yes', '1', ''], /is neither true nor false/],
};

for (const [name, [parser, good, bad, message]] of Object.entries(cases)) {
  it(`reads ${name}`, () => {
    for (const [text, value] of Object.entries(good)) assert.equal(parser('x')(text), value, text);
    for (const text of bad) {
      assert.throws(
        () => parser('x')(text),
        (error: Error) => message.test(error.message),
        text,
      );
      assert.throws(() => parser('x')(text), { message: /^--x "/, exitCode: 2 });
    }
  });
}

it('an option knows its name, and the placeholder of its value', () => {
  const count = valueOption('-c, --count <NUMBER>', 'how many', parseNumber);
  assert.throws(() => count.parseArg?.('many', undefined), { message: /^--count "many" is not a number/ });
  const file = textOption('--out <FILE>', 'where to');
  assert.equal(file.parseArg?.('a', undefined), 'a');
  assert.throws(() => file.parseArg?.('', undefined), { message: 'FILE is empty' });
});
