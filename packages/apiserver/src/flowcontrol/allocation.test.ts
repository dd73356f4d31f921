import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { allocate, type Claim } from './allocation.js';

const claim: fc.Arbitrary<Claim> = fc
  .tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 80 }))
  .map(([lower, more, above]) => ({ lower, upper: lower + more, target: lower + above }));

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

describe('allocate', () => {
  it('gives each claim the same fraction of its target', () => {
    const claims = [10, 20, 30].map((target) => ({ lower: 0, upper: 100, target }));
    assert.deepEqual(allocate(30, claims), { parts: [5, 10, 15], fairFraction: 0.5 });
  });

  it('keeps to the bounds and gives the rest to the others', () => {
    const claims = [
      { lower: 8, upper: 100, target: 10 },
      { lower: 0, upper: 100, target: 20 },
      { lower: 0, upper: 3, target: 30 },
    ];
    assert.deepEqual(allocate(21, claims), { parts: [8, 10, 3], fairFraction: 0.5 });
  });

  it('divides as little or as much as the bounds allow', () => {
    const claims = [
      { lower: 1, upper: 2, target: 2 },
      { lower: 2, upper: 6, target: 2 },
    ];
    assert.deepEqual(allocate(1, claims).parts, [1, 2]);
    assert.deepEqual(allocate(100, claims).parts, [2, 6]);
    assert.deepEqual(allocate(100, []).parts, []);
  });

  // Upstream: `TestConcAlloc`, which checks the same of random problems.
  it('fulfils its contract for any claims', () => {
    fc.assert(
      fc.property(
        fc.array(claim, { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (claims, part) => {
          const [least, most] = [sumOf(claims.map(({ lower }) => lower)), sumOf(claims.map(({ upper }) => upper))];
          const total = least + (most - least) * part;
          const { parts, fairFraction } = allocate(total, claims);
          assert.ok(Math.abs(sumOf(parts) - total) < 1e-6 * (1 + total), `${sumOf(parts)} instead of ${total}`);
          for (const [index, { lower, upper, target }] of claims.entries()) {
            const fair = fairFraction * Math.max(target, 0.001);
            const wanted = Math.max(lower, Math.min(upper, fair));
            assert.ok(Math.abs((parts[index] ?? 0) - wanted) < 1e-9);
          }
        },
      ),
    );
  });
});
