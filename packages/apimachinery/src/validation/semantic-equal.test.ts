import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldSchema, StructSchema, ValueSchema } from '../schema/index.js';
import { semanticEqual } from './index.js';

const cases: readonly (readonly [a: unknown, b: unknown, equal: boolean])[] = [
  [1, 1, true],
  [1, '1', false],
  [1n, 1n, true],
  [0, undefined, false],
  ['', undefined, false],
  [false, null, false],
  [null, undefined, true],
  [[], undefined, true],
  [{}, [], true],
  [{}, null, true],
  [[{}], undefined, false],
  [[{}], [null], true],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1], [1, null], false],
  [[1], { 0: 1 }, false],
  [{ a: 1 }, { a: 1, b: {} }, true],
  [{ a: 1, b: [] }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: [0] }, false],
  [{ a: { b: { c: null } } }, undefined, true],
  [{ a: { b: { c: 1 } } }, {}, false],
  [JSON.parse('{"__proto__":{"a":1}}'), {}, false],
  [{}, { toString: null }, true],
  [{ toString: 1 }, {}, false],
];

for (const [a, b, equal] of cases) {
  test(`${JSON.stringify(a, shown)} ${equal ? 'equals' : 'differs from'} ${JSON.stringify(b, shown)}`, () => {
    assert.equal(semanticEqual(a, b), equal);
    assert.equal(semanticEqual(b, a), equal);
    assert.equal(semanticEqual({ x: a }, { x: b }), equal);
  });
}

function shown(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

const text: ValueSchema = { kind: 'string', goType: 'string' };

function structOf(fields: readonly (readonly [name: string, value: ValueSchema, pointer: boolean])[]): ValueSchema {
  const own = fields.map(
    ([name, value, pointer]): FieldSchema => ({
      name,
      value,
      pointer,
      required: false,
      omitEmpty: true,
      omitZero: false,
    }),
  );
  const type: StructSchema = {
    name: 'T',
    goName: 'T',
    fields: own,
    byName: new Map(own.map((each) => [each.name, each])),
  };
  return { kind: 'struct', type };
}

const leaf = structOf([['text', text, false]]);
const inner = structOf([
  ['pointer', leaf, true],
  ['value', leaf, false],
  ['map', { kind: 'map', values: text }, false],
  ['text', text, false],
]);
const outer: ValueSchema = structOf([
  ['pointer', inner, true],
  ['value', inner, false],
  ['list', { kind: 'list', items: inner }, false],
  ['byName', { kind: 'map', values: inner }, false],
  ['zero', { kind: 'integer', goType: 'int32' }, false],
  ['zeroPointer', { kind: 'integer', goType: 'int32' }, true],
  ['quantity', { kind: 'quantity', goType: 'resource.Quantity' }, false],
  ['any', { kind: 'any', goType: 'interface {}' }, false],
]);

const typedCases: readonly (readonly [a: unknown, b: unknown, equal: boolean])[] = [
  [{}, undefined, true],
  [{ pointer: {} }, {}, false],
  [{ pointer: {} }, undefined, false],
  [{ pointer: {} }, { pointer: null }, false],
  [{ pointer: null }, {}, true],
  [{ pointer: {} }, { pointer: { value: {}, map: {} } }, true],
  [{ pointer: { pointer: {} } }, { pointer: {} }, false],
  [{ value: {} }, {}, true],
  [{ value: { value: {}, map: {} } }, {}, true],
  [{ value: { pointer: {} } }, {}, false],
  [{ list: [{}] }, { list: [{ pointer: {} }] }, false],
  [{ list: [{}] }, { list: [{ value: {} }] }, true],
  [{ list: [] }, {}, true],
  [{ byName: { a: { pointer: {} } } }, { byName: { a: {} } }, false],
  [{ byName: {} }, {}, true],
  [{ byName: { a: {} } }, {}, false],
  [{ byName: { a: {} } }, { byName: { b: {} } }, false],
  [{ unknown: {} }, {}, true],
  [{ zero: 0 }, {}, true],
  [{ zero: 1 }, {}, false],
  [{ zeroPointer: 0 }, {}, false],
  [{ zeroPointer: 0 }, { zeroPointer: 0 }, true],
  [{ value: { text: '' } }, {}, true],
  [{ value: { map: { a: '' } } }, {}, false],
  [{ value: { map: { a: '' } } }, { value: { map: { b: '' } } }, false],
  [{ list: [{ text: '' }] }, { list: [{}] }, true],
  [{ list: [{ text: '' }] }, {}, false],
  [{ quantity: '0' }, {}, true],
  [{ any: '' }, {}, false],
];

for (const [a, b, equal] of typedCases) {
  test(`by its type, ${JSON.stringify(a)} ${equal ? 'equals' : 'differs from'} ${JSON.stringify(b)}`, () => {
    assert.equal(semanticEqual(a, b, { value: outer }), equal);
    assert.equal(semanticEqual(b, a, { value: outer }), equal);
  });
}

test('a pointer to an empty struct differs from none', () => {
  assert.equal(semanticEqual({}, undefined, { value: leaf, pointer: true }), false);
  assert.equal(semanticEqual({}, undefined, { value: leaf }), true);
});
