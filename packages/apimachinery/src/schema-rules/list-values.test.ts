import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonValue } from '../json/index.js';
import { specRuleErrors, specSchema } from './rules.testing.js';

const set = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
const keyed = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name', 'port-no'],
  items: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, 'port-no': { type: 'integer', default: 1 }, v: { type: 'integer' } },
  },
};
const atomic = { type: 'array', items: { type: 'string' } };

function holds(properties: { [name: string]: JsonValue }, rule: string, spec: JsonValue): boolean {
  return specRuleErrors(specSchema(properties, rule), spec).length === 0;
}

describe('lists by their list type', () => {
  test('sets compare in any order, and + adds missing items', () => {
    const sets = { a: set, b: set };
    assert.ok(holds(sets, 'self.a == self.b', { a: ['x', 'y'], b: ['y', 'x'] }));
    assert.ok(!holds(sets, 'self.a == self.b', { a: ['x', 'y'], b: ['y', 'z'] }));
    assert.ok(holds(sets, "self.a + self.b == ['z', 'y', 'x']", { a: ['x', 'y'], b: ['y', 'z'] }));
    assert.ok(holds(sets, "(self.a + self.b).map(s, s + '!') == ['x!', 'y!', 'z!']", { a: ['x', 'y'], b: ['y', 'z'] }));
    assert.ok(
      holds(sets, "['x'] + self.a != ['x', 'y'] && size(self.a + self.b + self.a) == 2", { a: ['x', 'y'], b: [] }),
    );
  });

  test('keyed lists compare in any order, and + replaces items with the same keys', () => {
    // Two separate fields would have different types.
    const lists = { m: { type: 'object', additionalProperties: keyed } };
    const item = (name: string, port: number, v: number): JsonValue => ({ name, 'port-no': port, v });
    assert.ok(
      holds(lists, 'self.m.a == self.m.b', {
        m: { a: [item('x', 1, 0), item('x', 2, 0)], b: [item('x', 2, 0), item('x', 1, 0)] },
      }),
    );
    assert.ok(!holds(lists, 'self.m.a == self.m.b', { m: { a: [item('x', 1, 0)], b: [item('x', 1, 1)] } }));
    assert.ok(
      !holds(lists, 'self.m.a == self.m.b', {
        m: { a: [item('x', 1, 0), item('y', 1, 0)], b: [item('x', 1, 0), item('x', 1, 0)] },
      }),
    );
    assert.ok(
      holds(lists, '(self.m.a + self.m.b).map(i, i.v) == [5, 2, 7]', {
        m: { a: [item('x', 1, 1), item('y', 1, 2)], b: [item('x', 1, 5), item('x', 2, 7)] },
      }),
    );
    assert.ok(
      holds(lists, "self.m.a.exists(i, i.name == 'x' && i.port__dash__no == 1)", {
        m: { a: [item('x', 1, 1)], b: [] },
      }),
    );
  });

  test('other lists compare in order, and + appends', () => {
    const lists = { a: atomic, b: atomic };
    assert.ok(!holds(lists, 'self.a == self.b', { a: ['x', 'y'], b: ['y', 'x'] }));
    assert.ok(holds(lists, "self.a + self.b == ['x', 'x']", { a: ['x'], b: ['x'] }));
  });

  test('sets of objects have no union', () => {
    const objects = { ...set, items: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: {} } };
    assert.deepEqual(specRuleErrors(specSchema({ a: objects }, 'self.a == self.a + self.a'), { a: [{}] }), [
      'spec: Invalid value: "object": listSet operations are only supported on lists of scalar values evaluating rule: self.a == self.a + self.a',
    ]);
  });
});
