import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { configMap, testResource } from '../testing/index.js';
import { ObjectChange } from './event.js';
import { PastState } from './past-state.js';
import { SortedMap } from './sorted-map.js';
import type { StoredObject } from '../storage/index.js';

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** A small alphabet, so that keys collide; two of its characters sort differently in UTF-16 and UTF-8. */
const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', '\u{1f600}', '\ufffd'), minLength: 1, maxLength: 3 });

describe('PastState', () => {
  it('is the present state with later changes undone', async () => {
    await using resource = testResource();
    const value = resource.storage.codec.encode({ ...configMap('x'), metadata: { name: 'x' } });
    const objectAt = (name: string, modRevision: number): StoredObject =>
      resource.storage.wrap({ key: name, value, createRevision: 1, modRevision });
    const steps = fc.array(fc.tuple(key, fc.boolean()), { maxLength: 30 });
    fc.assert(
      fc.property(steps, steps, key, key, (before, after, prefix, from) => {
        const present = new SortedMap<StoredObject>();
        const past = new Map<string, StoredObject>();
        const changes: ObjectChange[] = [];
        let revision = 0;
        for (const [name, gone] of before) {
          revision++;
          if (gone) present.delete(name);
          else present.set(name, objectAt(name, revision));
        }
        for (const object of present.range('')) past.set(object.key, object);
        for (const [name, gone] of after) {
          revision++;
          const previous = present.get(name);
          if (gone && previous === undefined) continue;
          const current = gone ? undefined : objectAt(name, revision);
          changes.push(new ObjectChange(name, revision, current, previous));
          if (current === undefined) present.delete(name);
          else present.set(name, current);
        }
        const state = new PastState(present, changes);
        const expected = [...past.keys()]
          .filter((name) => name.startsWith(prefix) && byBytes(name, from) >= 0)
          .sort(byBytes);
        assert.deepEqual(
          Array.from(state.range(prefix, from), (object) => object),
          expected.map((name) => past.get(name)),
        );
        assert.equal(state.count(prefix, from), expected.length);
        assert.equal(state.get(from), past.get(from));
      }),
    );
  });
});
