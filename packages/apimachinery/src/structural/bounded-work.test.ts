import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../json/index.js';
import { fieldErrorDetail } from '../status/index.js';
import { compileSchema } from './compile.js';
import { validateValue } from './validate-value.js';

const tooMuch = ['<nil>: Internal error: validation takes too much work'];
const long = 'y'.repeat(1_000_000);

function check(schema: JsonObject, value: JsonValue): string[] {
  return validateValue(value, compileSchema(schema)).map((error) => `${error.field}: ${fieldErrorDetail(error)}`);
}

test('many expressions are not held against a long text', () => {
  const patterns = Array.from({ length: 2000 }, (_, index) => ({ pattern: `^x${index}` }));
  for (const keyword of ['oneOf', 'anyOf', 'allOf']) assert.deepEqual(check({ [keyword]: patterns }, long), tooMuch);
});

test('a large expression is not held against a long text', () => {
  assert.deepEqual(check({ type: 'string', pattern: '(a[ab]{300}|b[ab]{200}a)*[cd]$' }, long), tooMuch);
  assert.deepEqual(check({ type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }, long), []);
});

test('many values are not held against long enumerations', () => {
  const values = Array.from({ length: 3000 }, (_, index) => `value-${index}`);
  const list = Array.from({ length: 10_000 }, () => 'other');
  assert.deepEqual(check({ type: 'array', items: { type: 'string', enum: values } }, list), tooMuch);
});

test('alternatives within alternatives end', () => {
  let schema: JsonObject = { type: 'string', enum: ['a'] };
  for (let depth = 0; depth < 5; depth++) schema = { anyOf: Array.from({ length: 6 }, () => schema) };
  const list = Array.from({ length: 10_000 }, () => 1);
  assert.deepEqual(check({ type: 'array', items: schema }, list), tooMuch);
});

test('no more is reported than a client can read', () => {
  const list = Array.from({ length: 5000 }, () => 'x');
  assert.equal(check({ type: 'array', items: { type: 'integer' } }, list).length, 1000);
  const texts = Array.from({ length: 40 }, () => 'x'.repeat(500_000));
  assert.ok(check({ type: 'array', items: { type: 'string', maxLength: 1, enum: ['y'] } }, texts).length < 40);
});
