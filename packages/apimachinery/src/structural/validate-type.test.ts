import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '../json/index.js';
import { compileSchema } from './compile.js';
import { Problems } from './problems.js';
import { refuseNull, validateType } from './validate-type.js';

function typeProblems(value: JsonValue, schema: JsonObject): readonly string[] {
  const problems = new Problems();
  const place = { base: 'spec', path: 'a', problems };
  if (value === null) refuseNull(compileSchema(schema), place);
  else validateType(value, compileSchema(schema), place);
  return problems.errors.map(({ detail }) => detail);
}

describe('validateType', () => {
  for (const [value, schema] of [
    ['a', { type: 'string' }],
    [1, { type: 'integer' }],
    [9223372036854775807n, { type: 'integer' }],
    [1, { type: 'number' }],
    [1.0000000000001, { type: 'integer' }],
    [[], { type: 'array' }],
    [{}, { type: 'object' }],
    ['a', { 'x-kubernetes-int-or-string': true }],
    [null, {}],
  ] as const) {
    it(`accepts ${typeof value === 'bigint' ? value : JSON.stringify(value)} as ${JSON.stringify(schema)}`, () => {
      assert.deepEqual(typeProblems(value as JsonValue, schema), []);
    });
  }

  for (const [value, schema, problem] of [
    [1, { type: 'string' }, 'string: "integer"'],
    [1.5, { type: 'integer' }, 'integer: "number"'],
    ['1', { type: 'integer' }, 'integer: "string"'],
    [true, { 'x-kubernetes-int-or-string': true }, 'integer,string: "boolean"'],
    [{}, { type: 'array' }, 'array: "object"'],
    [null, { type: 'string' }, 'string: "null"'],
  ] as const) {
    it(`refuses ${JSON.stringify(value)} as ${JSON.stringify(schema)}`, () => {
      assert.deepEqual(typeProblems(value as JsonValue, schema), [`a in body must be of type ${problem}`]);
    });
  }
});
