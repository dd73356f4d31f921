import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { invalid, invalidValue, required } from './index.js';

describe('invalid', () => {
  const MIB = 1024 * 1024;
  const pod = { group: '', kind: 'Pod' };
  const cases: [name: string, errors: number, path: number, reported: number][] = [
    ['reports every error of 20,000 short ones', 20_000, 10, 20_000],
    ['reports 3 MiB of errors below long keys', 50, MIB / 2, 6],
    ['reports the first error, however long', 3, 4 * MIB, 1],
    ['reports none of none', 0, 10, 0],
  ];
  for (const [name, errors, path, reported] of cases) {
    it(name, () => {
      const found = Array.from({ length: errors }, (_, index) => required(String(index).padEnd(path, 'x'), ''));
      const { status } = invalid(pod, 'a', found);
      assert.equal(status.details?.causes?.length, reported);
      assert.equal(status.message?.match(/: Required value/g)?.length ?? 0, reported);
    });
  }

  it('shows the beginning of a text of a megabyte', () => {
    const { message = '' } = invalid(pod, 'a', [invalidValue('spec', 'a"'.repeat(MIB), 'is wrong')]).status;
    assert.match(message, /^Pod "a" is invalid: spec: Invalid value: "a\\"a/);
    assert.match(message.slice(-20), /a\\"\.\.\.": is wrong$/);
    assert.ok(message.length < 500_000, `${message.length} characters`);
  });

  it('formats only the lists that it reports', () => {
    const items = Array.from({ length: 100_000 }, (_, index) => `item-${index}`);
    const found = items.map((_, index) => invalidValue(`spec[${index}]`, items, 'is wrong'));
    assert.equal(invalid(pod, 'a', found).status.details?.causes?.length, 2);
  });

  it('formats only the texts that it reports', () => {
    const text = 'a,'.repeat(MIB);
    const before = process.memoryUsage().heapUsed;
    const found = Array.from({ length: 2000 }, () => invalidValue('spec', text, 'is wrong'));
    assert.ok(process.memoryUsage().heapUsed - before < 100 * MIB);
    assert.equal(invalid(pod, 'a', found).status.details?.causes?.length, 11);
  });
});
