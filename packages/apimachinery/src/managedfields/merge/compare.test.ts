import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { JsonObject } from '../../json/index.js';
import { StatusError } from '../../status/index.js';
import { WorkBudget } from '../../work/index.js';
import { counted } from '../../testing/index.js';
import { compareInSteps } from './compare.js';
import { compareObjects, encodeFieldSet, fieldSetOf } from '../index.js';
import type { FieldSchema, StructSchema } from '../../schema/index.js';
import { objectsOf } from '../objects.testing.js';
import { thingSchema } from '../schema.testing.js';

function compare(before: JsonObject, after: JsonObject) {
  const { added, modified, removed } = compareObjects(before, after, thingSchema);
  return { added: encodeFieldSet(added), modified: encodeFieldSet(modified), removed: encodeFieldSet(removed) };
}

const thingField = { name: 'part', required: false, omitEmpty: true, omitZero: false, pointer: false } as const;
const c1 = { name: 'a', image: 'i' };

describe('fieldSetOf', () => {
  it('contains leaves, items of maps and lists, and empty structs', () => {
    const object = {
      data: { x: '1' },
      metadata: { finalizers: ['f/a', 'f/a', 'f/b'] },
      spec: {
        containers: [{ ...c1, args: ['x'], ports: [{ containerPort: 80 }] }],
        selector: { matchLabels: { a: 'b' } },
      },
    };
    assert.deepEqual(encodeFieldSet(fieldSetOf(object, thingSchema)), {
      'f:data': { 'f:x': {} },
      'f:metadata': { 'f:finalizers': { 'v:"f/a"': {}, 'v:"f/b"': {} } },
      'f:spec': {
        'f:containers': {
          'k:{"name":"a"}': {
            '.': {},
            'f:args': {},
            'f:image': {},
            'f:name': {},
            'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
            'f:resources': {},
          },
        },
        'f:selector': {},
      },
      'f:status': {},
    });
  });
});

describe('compareObjects', () => {
  it('adds a list without owning it, because the empty object shows it as null', () => {
    assert.deepEqual(compare({}, { spec: { containers: [c1] } }).added, {
      'f:spec': {
        'f:containers': { 'k:{"name":"a"}': { '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': {} } },
      },
    });
  });

  it('adds a map itself, because the empty object does not show it', () => {
    assert.deepEqual(compare({}, { data: { a: '1' } }).added, { 'f:data': { '.': {}, 'f:a': {} } });
  });

  it('treats null as an empty object in a value without a schema', () => {
    assert.deepEqual(compare({ any: { a: 1, b: 1 } }, { any: null }), {
      added: {},
      modified: {},
      removed: { 'f:any': { 'f:a': {}, 'f:b': {} } },
    });
    assert.deepEqual(compare({ any: 1 }, { any: null }).modified, { 'f:any': {} });
  });

  it('separates changed, added and removed items', () => {
    const before = { data: { a: '1', b: '2' }, spec: { containers: [c1, { name: 'b' }] } };
    const after = { data: { a: '2', c: '3' }, spec: { containers: [{ name: 'c' }, { ...c1, image: 'j' }] } };
    assert.deepEqual(compare(before, after), {
      added: {
        'f:data': { 'f:c': {} },
        'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:name': {}, 'f:resources': {} } } },
      },
      modified: { 'f:data': { 'f:a': {} }, 'f:spec': { 'f:containers': { 'k:{"name":"a"}': { 'f:image': {} } } } },
      removed: {
        'f:data': { 'f:b': {} },
        'f:spec': { 'f:containers': { 'k:{"name":"b"}': { '.': {}, 'f:name': {}, 'f:resources': {} } } },
      },
    });
  });

  it('compares atomic values as a whole', () => {
    const before = { spec: { options: { a: '1' }, selector: { matchLabels: { a: 'b' } } } };
    const after = { spec: { options: { a: '1', b: '2' }, selector: { matchLabels: { a: 'c' } } } };
    assert.deepEqual(compare(before, after).modified, { 'f:spec': { 'f:options': {}, 'f:selector': {} } });
  });

  it('marks duplicate items without their content', () => {
    const once = { spec: { containers: [c1] } };
    const twice = { spec: { containers: [c1, c1] } };
    assert.deepEqual(compare(once, twice).added, { 'f:spec': { 'f:containers': { 'k:{"name":"a"}': {} } } });
    assert.deepEqual(compare(twice, once).removed, { 'f:spec': { 'f:containers': { 'k:{"name":"a"}': {} } } });
  });

  it('compares fields without a schema by the structure of their values', () => {
    const before = { extra: { a: { b: 1 }, l: [1], s: { x: 1 } } };
    const after = { extra: { a: { b: 2 }, l: [2], s: 5 } };
    assert.deepEqual(compare(before, after), {
      added: {},
      modified: { 'f:extra': { 'f:a': { 'f:b': {} }, 'f:l': {}, 'f:s': {} } },
      removed: { 'f:extra': { 'f:s': { 'f:x': {} } } },
    });
  });

  it('treats absent and explicit zero values as equal', () => {
    assert.deepEqual(
      compare(
        { spec: { containers: [{ name: 'a' }] } },
        { spec: { containers: [{ name: 'a', image: '', resources: {} }] } },
      ),
      {
        added: {},
        modified: {},
        removed: {},
      },
    );
  });

  it('finds nothing between equal objects, and is symmetric', () => {
    const data = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.constantFrom('1', '2'));
    const containers = fc.uniqueArray(
      fc.record({ name: fc.constantFrom('a', 'b'), image: fc.constantFrom('i', 'j') }),
      {
        selector: (container) => container.name,
      },
    );
    const objects = fc.record({ data, spec: fc.record({ containers }) });
    fc.assert(
      fc.property(objects, objects, (a, b) => {
        assert.deepEqual(compare(a, structuredClone(a)), { added: {}, modified: {}, removed: {} });
        const forth = compare(a, b);
        const back = compare(b, a);
        assert.deepEqual(forth.added, back.removed);
        assert.deepEqual(forth.modified, back.modified);
      }),
    );
  });

  it('finds the same in an object and in a part', () => {
    const inner = objectsOf(thingSchema);
    const part: FieldSchema = { ...thingField, value: { kind: 'struct', type: thingSchema } };
    const outer: StructSchema = { ...thingSchema, fields: [part], byName: new Map([[part.name, part]]) };
    // The parts of a part are compared one by one, also if they are equal.
    fc.assert(
      fc.property(inner, inner, fc.subarray(thingSchema.fields.map(({ name }) => name)), (a, b, same) => {
        const after = { ...b, ...Object.fromEntries(same.map((name) => [name, structuredClone(a[name] ?? null)])) };
        const direct = compareObjects(a, after, thingSchema);
        const nested = compareObjects({ part: a, other: 1 }, { part: after, other: 2 }, outer);
        for (const set of ['added', 'modified', 'removed'] as const) {
          assert.ok(nested[set].below('f:part').equals(direct[set]), set);
        }
      }),
      { numRuns: 500 },
    );
  });
});

it('charges for every changed field', () => {
  const labels = (count: number) => ({
    metadata: { labels: Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v'])) },
  });
  const compare = (before: number, after: number) =>
    compareObjects(
      labels(before),
      labels(after),
      thingSchema,
      undefined,
      new WorkBudget({ units: 10_000, addedBytes: 0 }),
    );
  compare(0, 100);
  compare(1000, 1000);
  const isTooLarge = (error: unknown) => error instanceof StatusError && error.code === 413;
  assert.throws(() => compare(0, 1000), isTooLarge);
  assert.throws(() => compare(1000, 0), isTooLarge);
});

describe('compareInSteps', () => {
  it('yields inside large maps and lists', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `f/${index}`);
    const data = Object.fromEntries(many.map((name) => [name, '1']));
    for (const after of [{ data }, { metadata: { finalizers: many } }]) {
      const { yields } = counted(compareInSteps({}, after, thingSchema));
      assert.ok(yields > 50, `${yields} steps`);
    }
  });

  it('yields inside many small maps', () => {
    const limits = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`l${index}`, '1']));
    const containers = Array.from({ length: 1000 }, (_, index) => ({ name: `c${index}`, resources: { limits } }));
    const { yields } = counted(compareInSteps({}, { spec: { containers } }, thingSchema));
    assert.ok(yields > 50, `${yields} steps`);
  });

  it('lists the keys of a large map at most once in a step', () => {
    let listings = 0;
    const ownKeys = (object: JsonObject) => (listings++, Reflect.ownKeys(object));
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`l${index}`, '1']));
    const limits = new Proxy<JsonObject>(many, { ownKeys });
    const containers = [{ name: 'c', resources: { limits } }];
    const perStep: number[] = [];
    for (const _ of compareInSteps({}, { spec: { containers } }, thingSchema)) {
      perStep.push(listings);
      listings = 0;
    }
    assert.equal(Math.max(...perStep), 1);
  });
});
