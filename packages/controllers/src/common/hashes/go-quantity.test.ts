import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { goQuantity } from './go-quantity.js';

const MAX_INT64 = 2n ** 63n - 1n;

/** The fields that upstream's `resource.ParseQuantity` fills in for these texts. */
describe('a quantity of Go', () => {
  for (const [text, format, kept, value, scale] of [
    ['0', 'DecimalSI', '0', 0n, 0],
    ['0.0', 'DecimalSI', '', 0n, -1],
    ['100m', 'DecimalSI', '100m', 100n, -3],
    ['-100m', 'DecimalSI', '-100m', -100n, -3],
    ['.5', 'DecimalSI', '', 5n, -1],
    ['1000', 'DecimalSI', '', 1000n, 0],
    ['1e3', 'DecimalExponent', '1e3', 1n, 3],
    ['0Ki', 'BinarySI', '', 0n, 0],
    ['1Ki', 'BinarySI', '1Ki', 1024n, 0],
    ['8Ki', 'BinarySI', '', 8192n, 0],
    ['-8Ki', 'BinarySI', '', -8192n, 0],
  ] as const) {
    it(`is an integer with a scale: ${text}`, () =>
      assert.deepEqual(goQuantity(text), { format, text: kept, value, scale }));
  }

  for (const [text, format, unscaled, decimals] of [
    ['1.5Gi', 'BinarySI', 1_610_612_736_000_000_000n, 9],
    ['-1.5Ki', 'BinarySI', -1_536_000_000_000n, 9],
    ['100Ti', 'BinarySI', 109_951_162_777_600_000_000_000n, 9],
    ['16Ei', 'BinarySI', MAX_INT64, 0],
    ['9000000000Gi', 'BinarySI', MAX_INT64, 0],
    ['0.0000000001Ki', 'DecimalSI', 103n, 9],
    ['1000000000000000000000', 'DecimalSI', 10n ** 30n, 9],
    ['-1000000000000000000000', 'DecimalSI', -(10n ** 30n), 9],
    ['0.0000000001', 'DecimalSI', 1n, 9],
    ['-1.0000000001', 'DecimalSI', -1_000_000_001n, 9],
  ] as const) {
    it(`is a decimal: ${text}`, () => assert.deepEqual(goQuantity(text), { format, text: '', unscaled, decimals }));
  }
});
