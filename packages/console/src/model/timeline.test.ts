import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { positionOf, ticks, timeAt, Timeline } from './index.js';
import { added, row } from './rows.testing.js';

describe('the time bar', () => {
  it('counts changes by spans', () => {
    const timeline = new Timeline();
    timeline.add([
      added(row('Pod', 'a'), 10_000),
      added(row('Pod', 'b', { health: 'bad' }), 10_900),
      added(row('Pod', 'c'), 19_000),
    ]);
    assert.equal(timeline.oldest, 10_000);
    const counts = timeline.buckets(10_000, 20_000, 2).map(({ from, total, bad }) => [from, total, bad]);
    assert.deepEqual(counts, [
      [10_000, 2, 1],
      [15_000, 1, 0],
    ]);
    assert.deepEqual(timeline.buckets(0, 10_000, 1)[0]?.total, 0);
  });

  it('forgets the oldest seconds', () => {
    const timeline = new Timeline();
    const hours = 8 * 3600;
    for (let second = 0; second < hours; second += 1) timeline.add([added(row('Pod', 'a'), second * 1000)]);
    const total = timeline.buckets(0, hours * 1000, 1)[0]?.total ?? 0;
    assert.ok(total >= 3 * 3600 && total <= 6 * 3600, String(total));
    assert.ok(timeline.oldest > 0);
  });

  it('maps times to positions and back', () => {
    fc.assert(
      fc.property(
        fc.nat(1e6),
        fc.integer({ min: 1000, max: 1e6 }),
        fc.integer({ min: 10, max: 2000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (from, span, width, share) => {
          const scale = { from, to: from + span, width };
          const time = timeAt(share * width, scale);
          assert.ok(time >= from && time <= from + span);
          assert.ok(Math.abs(positionOf(time, scale) - share * width) <= width / span + 1);
        },
      ),
    );
    const scale = { from: 100, to: 200, width: 50 };
    assert.equal(timeAt(-5, scale), 100);
    assert.equal(timeAt(99, scale), 200);
    assert.equal(timeAt(1, { ...scale, width: 0 }), 200);
    assert.equal(positionOf(5, { from: 5, to: 5, width: 9 }), 0);
  });

  it('has round labels, not too many', () => {
    assert.deepEqual(ticks({ from: 30_000, to: 150_000, width: 1 }, 4), [30_000, 60_000, 90_000, 120_000, 150_000]);
    assert.ok(ticks({ from: 0, to: 10_800_000, width: 1 }, 8).length <= 9);
  });
});
