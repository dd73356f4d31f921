import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type Batch, Collection, Pending } from './index.js';
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
      pending.change(added(each, count));
    }
    const batches = taken(pending);
    assert.equal(batches.flatMap(({ rows = [] }) => rows).length, 10);
    const changes = batches.flatMap((batch) => batch.changes ?? []);
    const dropped = batches.reduce((sum, batch) => sum + (batch.dropped ?? 0), 0);
    assert.ok(changes.length < 4000);
    assert.equal(changes.length + dropped, 10_000);
    assert.equal(changes.at(-1)?.time, 9999);
  });

  it('holds nothing of objects that come and go while the page reads nothing', () => {
    const pending = new Pending();
    for (let count = 0; count < 10_000; count += 1) {
      pending.add(row('Pod', `p-${count}`));
      pending.set(row('Pod', `p-${count}`, { version: '2' }));
      pending.delete(`p-${count}`);
    }
    assert.equal(pending.take(), undefined);
  });

  it('reports the deletion of an object that the page knows, though it was created again', () => {
    const pending = new Pending();
    pending.add(row('Pod', 'a'));
    taken(pending);
    pending.delete('a');
    pending.add(row('Pod', 'a'));
    pending.delete('a');
    assert.deepEqual(taken(pending), [{ gone: ['a'] }]);
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
            const each = row('Pod', name, { version: String(version) });
            if (server.has(name)) pending.set(each);
            else pending.add(each);
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

  it('reports faults once', () => {
    const pending = new Pending();
    pending.fault(3, 'forbidden');
    assert.deepEqual(taken(pending), [{ faults: [[3, 'forbidden']] }]);
    assert.deepEqual(taken(pending), []);
  });
});
