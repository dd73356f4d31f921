import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonValue } from '../json/index.js';
import type { ScalarKind, ValueSchema } from './types.js';
import { isZeroScalar, isZeroValue } from './zero-value.js';

const scalar = (kind: ScalarKind): ValueSchema => ({ kind, goType: kind });

describe('a zero value', () => {
  const list: ValueSchema = { kind: 'list', items: scalar('string') };
  const map: ValueSchema = { kind: 'map', values: scalar('string') };
  const rows: readonly (readonly [ValueSchema, zero: JsonValue, other: JsonValue])[] = [
    [scalar('string'), '', 'a'],
    [scalar('boolean'), false, true],
    [scalar('quantity'), '0', '1'],
    [scalar('duration'), '0s', '1s'],
    [scalar('intOrString'), 0, ''],
    [list, [], ['']],
    [map, {}, { a: '' }],
  ];
  for (const [schema, zero, other] of rows) {
    it(`of ${schema.kind}`, () => {
      assert.deepEqual([isZeroValue(zero, schema), isZeroValue(other, schema)], [true, false]);
      const hasParts = schema.kind === 'list' || schema.kind === 'map';
      assert.equal(isZeroScalar(zero, schema), !hasParts);
    });
  }

  it('is null for every type, and nothing else for any', () => {
    assert.deepEqual([isZeroValue(null, list), isZeroValue(null, scalar('any'))], [true, true]);
    assert.deepEqual([isZeroValue('', scalar('any')), isZeroValue({}, scalar('any'))], [false, false]);
  });
});
