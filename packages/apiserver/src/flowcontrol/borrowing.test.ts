import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { currentLimits, type LevelDemand, smoothed } from './borrowing.js';

const level = (nominal: number, minimum: number, maximum: number, highest: number, smooth = highest): LevelDemand => ({
  isExempt: false,
  nominal,
  minimum,
  maximum,
  highest,
  smoothed: smooth,
});

const seatsOf = (levels: readonly LevelDemand[]): readonly number[] =>
  currentLimits(levels).limits.map(({ seats }) => seats);

describe('currentLimits', () => {
  it('lends the seats of an idle level to a busy one, within both bounds', () => {
    assert.deepEqual(seatsOf([level(50, 10, 150, 0), level(50, 25, 75, 80)]), [25, 75]);
    assert.deepEqual(seatsOf([level(50, 40, 150, 0), level(50, 25, 150, 80)]), [40, 60]);
  });

  it('takes no seats from a level that has just used them', () => {
    assert.deepEqual(seatsOf([level(50, 10, 150, 50), level(50, 25, 150, 500)]), [50, 50]);
  });

  it('divides by the lendable seats while no level has requests', () => {
    assert.deepEqual(seatsOf([level(60, 20, 160, 0), level(40, 30, 140, 0)]), [40, 60]);
  });

  it('leaves less to others when exempt requests use seats', () => {
    const exempt = (highest: number): LevelDemand => ({ ...level(10, 10, 10, highest), isExempt: true });
    assert.deepEqual(seatsOf([exempt(0), level(50, 10, 150, 40), level(40, 10, 150, 30)]).slice(0, 1), [10]);
    // 100 - 55 seats are left, and 10 + 10 are the least.
    assert.deepEqual(seatsOf([exempt(55), level(50, 10, 150, 50), level(40, 10, 150, 40)]), [55, 24, 21]);
    assert.deepEqual(seatsOf([exempt(90), level(50, 10, 150, 50), level(40, 10, 150, 40)]), [90, 10, 10]);
  });

  it('never leaves the bounds, and divides all seats', () => {
    const arbitrary = fc
      .tuple(
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(100),
        fc.nat(300),
        fc.nat(300),
      )
      .map(([nominal, lent, more, highest, smooth]) =>
        level(nominal, nominal - Math.round(nominal * lent), nominal + more, highest, smooth),
      );
    fc.assert(
      fc.property(fc.array(arbitrary, { minLength: 1, maxLength: 8 }), (levels) => {
        const seats = seatsOf(levels);
        for (const [index, { minimum, maximum }] of levels.entries()) {
          assert.ok((seats[index] ?? -1) >= minimum && (seats[index] ?? 0) <= maximum);
        }
        const [total, divided] = [levels.map(({ nominal }) => nominal), seats].map((each) =>
          each.reduce((sum, value) => sum + value, 0),
        );
        assert.ok(Math.abs((total ?? 0) - (divided ?? 0)) <= levels.length, `${divided} of ${total}`);
      }),
    );
  });
});

describe('smoothed', () => {
  const demand = (average: number, deviation = 0) => ({ seconds: 10, average, deviation, highest: average });

  it('rises at once, and falls to a half within five minutes', () => {
    assert.equal(smoothed(3, demand(10, 2)), 12);
    let value = 100;
    for (let period = 0; period < 30; period++) value = smoothed(value, demand(0));
    assert.ok(Math.abs(value - 50) < 1, String(value));
  });

  it('is the same after several periods at once', () => {
    const twice = smoothed(smoothed(100, demand(20)), demand(20));
    assert.ok(Math.abs(smoothed(100, demand(20), 2) - twice) < 1e-9);
  });
});
