import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '../json/index.js';
import type { FieldSchema, ValueSchema } from '../schema/index.js';
import { messagePlan, type ValueField } from './plan.js';
import { field, scalar, struct } from './schema.testing.js';
import { addZeros, keepUnlessZero, zeroOf } from './zero-values.js';

const string = scalar('string');
const count = scalar('integer', 'int32', 32);
const list: ValueSchema = { kind: 'list', items: string };

function planOf(...fields: readonly FieldSchema[]) {
  const plan = messagePlan(struct('Zeros', fields));
  const values = plan.members.filter((member): member is ValueField => member !== undefined);
  return { plan, values };
}

describe('keepUnlessZero', () => {
  function kept(facts: Partial<FieldSchema>, value: JsonValue | undefined): JsonObject {
    const [member] = planOf(field(1, 'count', count, facts)).values;
    assert.ok(member);
    const object: JsonObject = { count: 7 };
    assert.equal(keepUnlessZero(object, member, value), 'count' in object);
    return object;
  }

  it('drops a zero, unless it is that of a pointer', () => {
    assert.deepEqual(kept({}, 2), { count: 2 });
    assert.deepEqual(kept({}, 0), {});
    assert.deepEqual(kept({ pointer: true }, 0), { count: 0 });
    assert.deepEqual(kept({ pointer: true }, undefined), {});
  });
});

describe('addZeros', () => {
  it('shows the zeros of fields that JSON never omits, a copy for each object', () => {
    const { plan } = planOf(
      field(1, 'name', string, { omitEmpty: false }),
      field(2, 'parts', { kind: 'struct', type: struct('Part', []) }, { omitEmpty: false }),
      field(3, 'note', string),
    );
    const [one, other]: JsonObject[] = [{ name: 'a' }, {}];
    assert.ok(one && other);
    addZeros(one, plan);
    addZeros(other, plan);
    assert.deepEqual(
      [one, other],
      [
        { name: 'a', parts: {} },
        { name: '', parts: {} },
      ],
    );
    assert.notEqual(one['parts'], other['parts']);
  });
});

describe('zeroOf', () => {
  for (const [schema, zero] of [
    [string, ''],
    [scalar('bytes', '[]byte'), ''],
    [scalar('boolean', 'bool'), false],
    [count, 0],
    [{ kind: 'struct', type: struct('Part', []) }, {}],
    [list, null],
  ] as const) {
    it(`is ${JSON.stringify(zero)} for ${schema.kind}`, () => {
      const [member] = planOf(field(1, 'values', { kind: 'map', values: schema })).values;
      assert.ok(member);
      assert.deepEqual(zeroOf(member.value.items), zero);
    });
  }
});
