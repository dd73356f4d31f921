import assert from 'node:assert/strict';
import { test } from 'node:test';
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
