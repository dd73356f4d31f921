import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { scrollTo, windowOf } from './index.js';

describe('the window of a list', () => {
  it('holds all rows on the screen and few others', () => {
    fc.assert(
      fc.property(
        fc.nat(1e6),
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 10, max: 60 }),
        fc.nat(1e5),
        (scrolled, height, rowHeight, count) => {
          const { first, end, offset, total } = windowOf(scrolled, height, rowHeight, count);
          assert.ok(first >= 0 && first <= end && end <= count);
          assert.equal(offset, first * rowHeight);
          assert.equal(total, count * rowHeight);
          assert.ok(end - first <= Math.ceil(height / rowHeight) + 18);
          for (
            let index = Math.ceil(scrolled / rowHeight);
            index < count && (index + 1) * rowHeight <= scrolled + height;
            index += 1
          ) {
            assert.ok(index >= first && index < end);
          }
        },
      ),
    );
  });

  it('is cut where browsers lay out no more', () => {
    assert.ok(windowOf(0, 900, 30, 10_000_000).total <= 8_000_000);
  });

  it('scrolls as little as a row needs', () => {
    assert.equal(scrollTo(0, 100, 300, 30), 0);
    assert.equal(scrollTo(5, 100, 300, 30), 100);
    assert.equal(scrollTo(20, 100, 300, 30), 330);
  });
});
