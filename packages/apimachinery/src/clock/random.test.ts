import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pick, type Random, randomOf, seededRandom, systemRandom } from './index.js';

const sources: readonly (readonly [string, Random])[] = [
  ['the system', systemRandom],
  ['a seed', seededRandom(7)],
];
const numbers = (random: Random, count: number): number[] => Array.from({ length: count }, () => random.number());

describe('random numbers', () => {
  for (const [name, random] of sources) {
    it(`of ${name} is spread over its range`, () => {
      const buckets = Array.from({ length: 10 }, () => 0);
      for (const number of numbers(random, 100_000)) {
        assert.ok(number >= 0 && number < 1);
        const bucket = Math.floor(number * 10);
        buckets[bucket] = (buckets[bucket] ?? 0) + 1;
      }
      // Each count is 10,000 on average, with a standard deviation of 95.
      for (const count of buckets) assert.ok(Math.abs(count - 10_000) < 950, buckets.join(' '));
    });

    it(`of ${name} gives every byte, and UUIDs of version 4`, () => {
      const bytes = random.bytes(100_000);
      assert.equal(bytes.length, 100_000);
      assert.equal(new Set(bytes).size, 256);
      const uuids = Array.from({ length: 1000 }, () => random.uuid());
      for (const uuid of uuids)
        assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(new Set(uuids).size, uuids.length);
    });
  }

  it('of a seed repeats, and differs for other seeds', () => {
    assert.deepEqual(numbers(seededRandom(1), 5), numbers(seededRandom(1), 5));
    const firsts = Array.from({ length: 1000 }, (_, seed) => seededRandom(seed).number());
    assert.equal(new Set(firsts).size, firsts.length);
    const average = firsts.reduce((sum, each) => sum + each, 0) / firsts.length;
    assert.ok(Math.abs(average - 0.5) < 0.1, `${average}`);
  });

  it('of a fork repeats, whatever is drawn from the source meanwhile', () => {
    const [one, two] = [seededRandom(5), seededRandom(5)];
    const [forkOfOne, forkOfTwo] = [one.fork(), two.fork()];
    one.uuid();
    assert.deepEqual(numbers(forkOfOne, 5), numbers(forkOfTwo, 5));
    assert.notEqual(two.fork().number(), two.fork().number());
  });

  it('picks each item, and none of an empty list', () => {
    const items = ['a', 'b', 'c'];
    assert.deepEqual(
      [0, 0.4, 0.999].map((number) =>
        pick(
          randomOf(() => number),
          items,
        ),
      ),
      items,
    );
    assert.equal(pick(systemRandom, []), undefined);
  });
});
