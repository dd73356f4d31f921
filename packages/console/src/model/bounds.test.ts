import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  type Batch,
  ChangeLog,
  Collection,
  MOST_CHANGES,
  nodeAt,
  nodeGrid,
  Pending,
  positionOf,
  scrollTo,
  ticks,
  tileAt,
  timeAt,
  Timeline,
  windowOf,
} from './index.js';
import { added, row } from './rows.testing.js';

function taken(pending: Pending): Batch[] {
  const batches: Batch[] = [];
  for (let batch = pending.take(); batch !== undefined; batch = pending.take()) batches.push(batch);
  return batches;
}

describe('what waits for a slow page', () => {
  it('holds one row for each object, and a bounded number of changes', () => {
    const pending = new Pending();
    for (let count = 0; count < 10_000; count += 1) {
      const each = row('Pod', `p-${count % 10}`, { version: String(count) });
      pending.set(each);
      pending.add(added(each, count));
    }
    const batches = taken(pending);
    assert.equal(batches.flatMap(({ rows = [] }) => rows).length, 10);
    const changes = batches.flatMap((batch) => batch.changes ?? []);
    const left = batches.reduce((sum, batch) => sum + (batch.left ?? 0), 0);
    assert.ok(changes.length < 4000);
    assert.equal(changes.length + left, 10_000);
    assert.equal(changes.at(-1)?.time, 9999);
  });

  it('is complete after the last row, and not before', () => {
    const pending = new Pending();
    for (let count = 0; count < 5000; count += 1) pending.set(row('Pod', `p-${count}`));
    pending.complete();
    const batches = taken(pending);
    assert.deepEqual(
      batches.map(({ complete }) => complete),
      [undefined, undefined, ''],
    );
    assert.equal(pending.take(), undefined);
  });

  it('leads any page to the state of the server, however it is cut', () => {
    const write = fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), isDelete: fc.boolean(), takes: fc.boolean() });
    fc.assert(
      fc.property(fc.array(write), (writes) => {
        const [pending, page, server] = [new Pending(), new Collection(), new Map<string, string>()];
        for (const [version, { name, isDelete, takes }] of writes.entries()) {
          if (isDelete) {
            pending.delete(name);
            server.delete(name);
          } else {
            pending.set(row('Pod', name, { version: String(version) }));
            server.set(name, String(version));
          }
          if (takes) for (const batch of taken(pending)) page.apply(batch);
        }
        for (const batch of taken(pending)) page.apply(batch);
        const seen = Array.from(page.rows(), ({ name, version }) => `${name} ${version}`).sort();
        assert.deepEqual(seen, Array.from(server, ([name, version]) => `${name} ${version}`).sort());
      }),
    );
  });

  it('tells of faults once', () => {
    const pending = new Pending();
    pending.fault(3, 'forbidden');
    assert.deepEqual(taken(pending), [{ faults: [[3, 'forbidden']] }]);
    assert.deepEqual(taken(pending), []);
  });
});

describe('the log of changes', () => {
  it('keeps the newest, and counts what it drops', () => {
    const log = new ChangeLog();
    for (let time = 0; time < 3 * MOST_CHANGES; time += 1) log.add([added(row('Pod', `p-${time}`), time)]);
    log.add([], 7);
    assert.ok(log.changes.length < 2 * MOST_CHANGES);
    assert.equal(log.changes.length + log.dropped, 3 * MOST_CHANGES + 7);
    assert.equal(log.total, 3 * MOST_CHANGES + 7);
    assert.equal(log.changes.at(-1)?.time, 3 * MOST_CHANGES - 1);
  });

  it('takes older changes in, each once', () => {
    const log = new ChangeLog();
    const [first, second] = [added(row('Pod', 'a'), 1), added(row('Pod', 'b'), 2)];
    log.add([second]);
    log.merge([first, second]);
    assert.deepEqual(log.changes, [first, second]);
  });
});

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

describe('the picture of nodes', () => {
  it('fits any number of nodes, and finds each by its place', () => {
    for (const [nodes, width, height] of [
      [1, 900, 700],
      [12, 900, 700],
      [100, 900, 700],
      [1000, 1000, 700],
      [5000, 1000, 700],
    ] as const) {
      const grid = nodeGrid(nodes, 30, width, height);
      const last = tileAt(nodes - 1, grid);
      assert.ok(last.x + grid.tile <= width, `${nodes} nodes are ${last.x + grid.tile} wide`);
      if (nodes <= 1000) assert.ok(grid.height <= height, `${nodes} nodes are ${grid.height} high`);
      assert.ok(grid.tile >= 14);
      for (const index of [0, Math.floor(nodes / 2), nodes - 1]) {
        const { x, y } = tileAt(index, grid);
        assert.equal(nodeAt(x + 1, y + 1, nodes, grid), index);
      }
      assert.equal(nodeAt(-1, 0, nodes, grid), undefined);
      assert.equal(nodeAt(0, 1e6, nodes, grid), undefined);
    }
  });

  it('gives each pod a cell', () => {
    const { across, cell, tile } = nodeGrid(10, 30, 900, 700);
    assert.ok(across * across >= 30);
    assert.ok(across * cell <= tile);
  });
});
