import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { JsonObject } from '../../json/index.js';
import { counted } from '../../testing/index.js';
import { finish, WorkBudget } from '../../work/index.js';
import { compareObjects } from '../merge/compare.js';
import { objectsOf } from '../objects.testing.js';
import { thingSchema } from '../schema.testing.js';
import { addedFieldsInSteps } from './added-fields.js';

const zero = { apiVersion: 'v1', kind: 'Thing', metadata: {} };
const things = objectsOf(thingSchema).map((thing) => ({ ...thing, apiVersion: 'v1', kind: 'Thing' }));

const added = (object: Record<string, never> | object, budget?: WorkBudget) =>
  finish(addedFieldsInSteps(zero, { ...object }, thingSchema, budget));

describe('addedFieldsInSteps', () => {
  it('finds what a comparison with the zero object finds', () => {
    fc.assert(
      fc.property(things, (thing) => {
        const changes = compareObjects(zero, thing, thingSchema);
        assert.ok(changes.removed.isEmpty);
        const expected = changes.added.union(changes.modified);
        assert.ok(added(thing).equals(expected));
      }),
      { numRuns: 1000 },
    );
  });

  it('costs as much work as a comparison', () => {
    const isRefused = (run: () => unknown) => {
      try {
        run();
        return false;
      } catch {
        return true;
      }
    };
    fc.assert(
      fc.property(things, fc.nat(2000), (thing, units) => {
        const budget = () => new WorkBudget({ units, addedBytes: 0 });
        assert.equal(
          isRefused(() => added(thing, budget())),
          isRefused(() => compareObjects(zero, thing, thingSchema, undefined, budget())),
        );
      }),
    );
  });

  it('finds the same set for objects with the same fields', () => {
    const thing = (image: string) => ({ spec: { containers: [{ name: 'a', image }] }, data: { a: image } });
    assert.equal(added(thing('x')), added(thing('y')));
    assert.notEqual(added(thing('x')), added({ data: { a: 'x' } }));
  });

  it('lists the keys of a large map at most once in a step', () => {
    let listings = 0;
    const ownKeys = (object: JsonObject) => (listings++, Reflect.ownKeys(object));
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`l${index}`, '1']));
    const limits = new Proxy<JsonObject>(many, { ownKeys });
    const object = { spec: { containers: [{ name: 'c', resources: { limits } }] } };
    const perStep: number[] = [];
    for (const _ of addedFieldsInSteps(zero, object, thingSchema)) {
      perStep.push(listings);
      listings = 0;
    }
    assert.equal(Math.max(...perStep), 1);
  });

  it('reads large objects in steps', () => {
    const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 'v']));
    const { result, yields } = counted(addedFieldsInSteps(zero, { data }, thingSchema));
    assert.equal(result.size, 20_001);
    assert.ok(yields > 30, `${yields} steps`);
  });
});
