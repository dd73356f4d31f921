import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../json/index.js';
import { fieldErrorDetail, StatusError } from '../status/index.js';
import { counted } from '../testing/index.js';
import { finish, WorkBudget } from '../work/index.js';
import { compileSchema, compileSchemaInSteps } from './compile.js';
import { applySchemaDefaults } from './defaults.js';
import { validateListItems } from './list-items.js';
import { structuralProblems, structuralProblemsInSteps, unsupportedKeyword } from './structural-problems.js';
import { validateDefaults } from './validate-defaults.js';
import { objectMetaForTests as objectMeta } from './schema.testing.js';
import { validateValue, validateValueInSteps } from './validate-value.js';

const long = 'y'.repeat(1_000_000);

function check(schema: JsonObject, value: JsonValue): string[] {
  return validateValue(value, compileSchema(schema)).map((error) => `${error.field}: ${fieldErrorDetail(error)}`);
}

/** The units, out of this many, that checking a value spends. */
function spent(schema: JsonObject, value: JsonValue, units = 1_000_000): number {
  for (let most = 1; most < units; most *= 2) {
    try {
      validateValue(value, compileSchema(schema), { budget: new WorkBudget({ units: most, addedBytes: 0 }) });
      return most;
    } catch (error) {
      assertTooLarge(error);
    }
  }
  return units;
}

function assertTooLarge(error: unknown): true {
  assert.ok(error instanceof StatusError, String(error));
  assert.equal(error.code, 413);
  assert.equal(error.reason, 'RequestEntityTooLarge');
  return true;
}

function refuses(schema: JsonObject, value: JsonValue): void {
  assert.throws(() => check(schema, value), assertTooLarge);
}

const many = (count: number, schema: JsonObject): JsonObject[] => Array.from({ length: count }, () => schema);

test('a schema of many alternatives has a bounded number of problems', () => {
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    for (const nested of [{ type: 'string' }, { properties: { a: {} } }, { [keyword]: many(10, { title: 'x' }) }]) {
      const schema = { type: 'object', [keyword]: many(60_000, nested) };
      assert.ok(structuralProblems(schema, '').length < 50_000);
    }
  }
});

test('large schemas are checked and compiled in steps', () => {
  const properties = Object.fromEntries(
    many(10_000, { type: 'string', default: 'x' }).map((each, index) => [`p${index}`, each]),
  );
  const alternatives = { type: 'object', anyOf: many(10_000, { minProperties: 1 }), not: { allOf: many(10_000, {}) } };
  const chain = many(400, {}).reduce<JsonObject>((items) => ({ type: 'array', items }), {});
  const schemas: JsonObject[] = [
    { type: 'object', properties },
    alternatives,
    { type: 'object', properties: { a: chain, b: chain, c: chain, d: chain, e: chain } },
  ];
  for (const schema of schemas) {
    for (const steps of [
      compileSchemaInSteps(schema),
      structuralProblemsInSteps(schema, ''),
      unsupportedKeyword(schema),
    ]) {
      assert.equal(steps.next().done, false);
    }
  }
  const compiled = compileSchema({ type: 'object', properties });
  assert.equal(validateDefaults(compiled, '', { objectMeta, requirePruned: true }).next().done, false);
});

test('each pass over a large default is a step, and a small default is checked in one', () => {
  const steps = (keys: number) => {
    const value = { a: [Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, 1]))] };
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, default: value };
    const compiled = compileSchema({ type: 'object', properties: { spec: schema } });
    return [...validateDefaults(compiled, '', { objectMeta, requirePruned: true })].length;
  };
  assert.equal(steps(900), 0);
  assert.ok(steps(1000) >= 4);
});

test('a long text is not matched against many patterns', () => {
  const patterns = Array.from({ length: 2000 }, (_, index) => ({ pattern: `^x${index}` }));
  for (const keyword of ['oneOf', 'anyOf', 'allOf']) refuses({ [keyword]: patterns }, long);
});

test('a long text is not matched against a large pattern', () => {
  refuses({ type: 'string', pattern: '(a[ab]{300}|b[ab]{200}a)*[cd]$' }, long);
  assert.deepEqual(check({ type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }, long), []);
});

test('a long text is matched in steps, and reported like others', () => {
  const pattern = '^([a-z]{60}|[a-z]{59}b)*$';
  const schemas: JsonObject[] = [
    { type: 'string', pattern },
    { type: 'string', anyOf: [{ pattern: 'z' }, { pattern }] },
    { type: 'object', properties: { a: { type: 'string', allOf: [{ minLength: 1 }, { pattern }] } } },
  ];
  const text = 'y'.repeat(120_000);
  for (const schema of schemas) {
    const stepsOf = (value: string) => {
      const whole = schema['type'] === 'object' ? { a: value } : value;
      return counted(validateValueInSteps(whole, compileSchema(schema), {}));
    };
    const matching = stepsOf(text);
    assert.deepEqual(matching.result, []);
    assert.ok(matching.yields >= 5, `${matching.yields} yields`);
    const details = (value: string) =>
      stepsOf(value).result.map((error) => fieldErrorDetail(error).replace(/^Invalid value: "[^"]*"/, ''));
    assert.deepEqual(details(`${text}B`), details('B'));
    assert.notEqual(details('B').length, 0);
    assert.equal(stepsOf('y'.repeat(60)).yields, 0);
  }
});

test('a long enum costs nothing, and its errors stay small', () => {
  const values = Array.from({ length: 3000 }, (_, index) => `value-${index}`);
  const list = (value: string) => Array.from({ length: 10_000 }, () => value);
  const schema = (count: number) => ({ type: 'array', items: { type: 'string', enum: values.slice(-count) } });
  assert.equal(spent(schema(3000), list('value-2999')), spent(schema(30), list('value-2999')));
  assert.ok(check(schema(3000), list('other')).length < 1000);
});

test('enums compare by value', () => {
  const values = [...Array.from({ length: 30 }, (_, index) => index), { a: [1], b: null }, '1', true];
  const schema = { type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true, enum: values } };
  assert.deepEqual(check(schema, [1, { b: null, a: [1] }, '1', true, 29]), []);
  assert.equal(check(schema, ['2', { a: [1] }, 'true', false, 30, [1]]).length, 6);
});

test('nested alternatives terminate', () => {
  let schema: JsonObject = { type: 'string', enum: ['a'] };
  for (let depth = 0; depth < 5; depth++) schema = { anyOf: Array.from({ length: 6 }, () => schema) };
  refuses(
    { type: 'array', items: schema },
    Array.from({ length: 10_000 }, () => 1),
  );
});

test('alternatives of objects run in steps, and report like others', () => {
  const items = {
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
    type: 'object',
    properties: { a: { type: 'string' } },
  };
  const schema = compileSchema({ type: 'array', items });
  const list = Array.from({ length: 30_000 }, (_, index) => (index === 7 ? {} : { a: 'x' }));
  const budget = new WorkBudget();
  const steps = validateValueInSteps(list, schema, { budget });
  assert.equal(steps.next().done, false);
  const said = finish(steps).map((error) => `${error.field}: ${fieldErrorDetail(error)}`);
  assert.deepEqual(said, check({ type: 'array', items }, list));
  assert.equal(said.length, 2);
});

test('fields of the schema that a value lacks cost work too', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`f${index}`, { type: 'string' }]),
  );
  refuses(
    { type: 'array', items: { type: 'object', properties } },
    Array.from({ length: 100_000 }, () => ({})),
  );
});

test('defaults cannot multiply an object', () => {
  const schema = compileSchema({
    type: 'array',
    items: { type: 'object', properties: { a: { type: 'string', default: 'x'.repeat(998) } } },
  });
  const fill = (count: number, addedBytes: number) =>
    applySchemaDefaults(
      Array.from({ length: count }, () => ({})),
      schema,
      new WorkBudget({ units: 1000, addedBytes }),
    );
  fill(10, 10_010);
  assert.throws(() => fill(10, 10_009), assertTooLarge);
  assert.throws(() => fill(2000, Number.MAX_SAFE_INTEGER), assertTooLarge);
});

test('a set with very many duplicates is rejected with some of them', () => {
  const schema = compileSchema({ type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } });
  const list = Array.from({ length: 300_000 }, (_, index) => `v${index % 150_000}`);
  assert.equal(validateListItems(list, schema).length, 1000);
});
