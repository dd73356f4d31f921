import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { SortedMap } from './sorted-map.js';

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** A small alphabet, so that keys collide; two of its characters sort differently in UTF-16 and UTF-8. */
const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', '\u{1f600}', '\ufffd'), minLength: 1, maxLength: 4 });

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('set' as const), key, value: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('delete' as const), key, value: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('range' as const), key, value: fc.nat() }) },
);

describe('SortedMap', () => {
  it('behaves like a sorted array', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 120 }), key, (operations, from) => {
        const map = new SortedMap<number>();
        const model = new Map<string, number>();
        for (const { type, key: at, value } of operations) {
          if (type === 'set') {
            assert.equal(map.set(at, value), model.get(at));
            model.set(at, value);
          } else if (type === 'delete') {
            assert.equal(map.delete(at), model.delete(at));
          } else {
            const expected = [...model].filter(([name]) => name.startsWith(at) && byBytes(name, from) >= 0);
            expected.sort(([a], [b]) => byBytes(a, b));
            assert.deepEqual(
              [...map.range(at, from)],
              expected.map(([, number]) => number),
            );
            assert.equal(map.count(at, from), expected.length);
          }
          assert.equal(map.size, model.size);
          assert.equal(map.get(at), model.get(at));
        }
      }),
    );
  });

  it('samples values that are spread over its keys', () => {
    const map = new SortedMap<number>();
    assert.deepEqual([...map.sample()], []);
    for (let index = 0; index < 2000; index++) map.set(String(index).padStart(4, '0'), index);
    const sample = [...map.sample()];
    assert.ok(sample.length >= 8 && sample.length < 30, `${sample.length}`);
    assert.deepEqual(
      sample,
      sample.toSorted((a, b) => a - b),
    );
    assert.equal(sample[0], 0);
    assert.ok((sample.at(-1) ?? 0) > 1500);
  });

  it('keeps order and counts over many chunks', () => {
    const map = new SortedMap<number>();
    const names = Array.from({ length: 3000 }, (_, index) => `/pods/ns-${index % 7}/p-${(index * 7919) % 3000}`);
    names.forEach((name, index) => map.set(name, index));
    const sorted = names.toSorted(byBytes);
    assert.deepEqual(
      [...map.range('/pods/')],
      sorted.map((name) => names.indexOf(name)),
    );
    assert.equal(map.count('/pods/'), 3000);
    for (const prefix of ['/pods/ns-0/', '/pods/ns-6/', '/pods/ns-9/', '/nodes/', '/z']) {
      assert.equal(map.count(prefix), names.filter((name) => name.startsWith(prefix)).length, prefix);
    }
    const from = sorted[1234] ?? '';
    assert.equal(map.count('/pods/', from), 3000 - 1234);
    for (const name of names) assert.equal(map.delete(name), true);
    assert.equal(map.size, 0);
    assert.deepEqual([...map.range('')], []);
  });
});
