import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '../json/index.js';
import type { StructSchema, ValueSchema } from '../schema/index.js';
import { counted } from '../testing/index.js';
import type { Steps } from '../work/index.js';
import { encodeTyped, encodeTypedInSteps, encodeUntyped, encodeUntypedInSteps } from './index.js';
import { field, scalar, string, strings, struct, widget } from './schema.testing.js';

const COUNT = 20_000;
const keys = Array.from({ length: COUNT }, (_, index) => `k${(index * 7919) % COUNT}`);
const members = (value: JsonValue): JsonObject => Object.fromEntries(keys.map((key) => [key, value]));

function run(encoding: Steps<Uint8Array>): { text: string; yields: number } {
  const { result, yields } = counted(encoding);
  return { text: Buffer.from(result).toString(), yields };
}

const part = struct('Part', [field('name', string), field('size', scalar('integer'), 'omitempty')]);
const parts: ValueSchema = { kind: 'struct', type: part };
const whole: StructSchema = struct('Whole', [
  field('absent', string, 'omitempty'),
  field('any', scalar('any'), 'omitempty'),
  field('names', strings, 'omitempty'),
  field('shown', parts, 'omitzero'),
  field('parts', { kind: 'list', items: parts }),
  field('byName', { kind: 'map', values: parts }, 'omitempty'),
  field('toString', string),
]);

describe('encoding in steps', () => {
  const objects: Record<string, JsonObject> = {
    map: { names: { ...members('v'), 'ä<': '"', __proto__: 'x' } },
    list: { parts: keys.map((name) => ({ name, unknown: 1 })) },
    'map of structs': { byName: members({ size: 1 }), toString: 'x' },
    'a struct that is zero': { shown: members('x'), parts: [] },
    any: { any: { z: members(null), a: keys.map(() => [{}, 9007199254740993n]) } },
    'many absent members': { names: Object.fromEntries(keys.map((key) => [key, undefined])) },
    'other types than the schema has': { parts: members(1), names: keys, byName: 'x' },
  };
  for (const [name, object] of Object.entries(objects)) {
    test(`a large object gives the same bytes: ${name}`, () => {
      const typed = run(encodeTypedInSteps(object, whole));
      assert.equal(typed.text, Buffer.from(encodeTyped(object, whole)).toString());
      const untyped = run(encodeUntypedInSteps(object));
      assert.equal(untyped.text, Buffer.from(encodeUntyped(object)).toString());
      if (name === 'many absent members' || name === 'a struct that is zero') return;
      assert.ok(typed.yields >= 5, `${typed.yields} typed`);
      assert.ok(untyped.yields >= 5, `${untyped.yields} untyped`);
    });
  }

  test('several large objects at a time do not mix', () => {
    const one = encodeTypedInSteps({ names: members('v') }, whole);
    const other = encodeTypedInSteps({ names: members('w') }, whole);
    one.next();
    other.next();
    assert.equal(run(one).text, Buffer.from(encodeTyped({ names: members('v') }, whole)).toString());
    assert.equal(run(other).text, Buffer.from(encodeTyped({ names: members('w') }, whole)).toString());
  });

  test('a small object takes one step', () => {
    const object = { kind: 'Widget', data: { b: '2', a: '1' } };
    const text = Buffer.from(encodeTyped(object, widget)).toString();
    assert.deepEqual(run(encodeTypedInSteps(object, widget)), { text, yields: 0 });
  });
});
