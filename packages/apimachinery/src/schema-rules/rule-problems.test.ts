import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../json/index.js';
import { compileSchema } from '../structural/index.js';
import { counted } from '../testing/index.js';
import { schemaRuleCompiler } from './index.js';
import { problems, specSchema } from './rules.testing.js';

const place = 'schema.properties[spec].x-kubernetes-validations[0]';
const integer = { type: 'integer' };
const advice =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

function shown(rule: string, message = ''): string {
  return `{"Rule":"${rule}","Message":"","MessageExpression":"${message}","Reason":null,"FieldPath":"","OptionalOldSelf":null}`;
}

describe('problems of rules', () => {
  test('reports a rule that does not compile', () => {
    assert.deepEqual(problems(specSchema({}, 'self.nope > 1')), [
      `${place}.rule: Invalid value: ${shown('self.nope \\u003e 1')}: compilation failed: ERROR: <input>:1:5: undefined field 'nope'\n | self.nope > 1\n | ....^`,
    ]);
    assert.deepEqual(problems(specSchema({ a: integer }, 'self.a')), [
      `${place}.rule: Invalid value: ${shown('self.a')}: cel expression must evaluate to a bool`,
    ]);
  });

  test('checks literals when a rule is compiled', () => {
    const text = { type: 'string', maxLength: 10 };
    const told = (rule: string): string | undefined =>
      /: (compilation failed: ERROR: <input>:\d+:\d+: [^\n]*|program[^\n]*)/.exec(
        problems(specSchema({ text }, rule)).join(),
      )?.[1];
    assert.equal(told("self.text.matches(')')"), 'compilation failed: ERROR: <input>:1:19: invalid matches argument');
    assert.equal(
      told("self.text.find(')') == ''"),
      'program instantiation failed: error parsing regexp: unexpected ): `)`',
    );
    assert.equal(
      told("self.text in ['a', 1]"),
      "compilation failed: ERROR: <input>:1:20: expected type 'string' but found 'int'",
    );
  });

  test('reports a messageExpression that does not compile', () => {
    const rule = (messageExpression: string) => ({ rule: 'self.a == 1', messageExpression });
    assert.deepEqual(problems(specSchema({ a: integer }, rule('self.a'))), [
      `${place}.messageExpression: Invalid value: ${shown('self.a == 1', 'self.a')}: messageExpression must evaluate to a string`,
    ]);
    assert.deepEqual(problems(specSchema({ a: integer }, rule('b'))), [
      `${place}.messageExpression: Invalid value: ${shown('self.a == 1', 'b')}: messageExpression compilation failed: ERROR: <input>:1:1: undeclared reference to 'b' (in container '')\n | b\n | ^`,
    ]);
    const b = { type: 'string', maxLength: 10 };
    assert.deepEqual(problems(specSchema({ a: integer, b }, rule("'b is ' + self.b"))), []);
    // Upstream does not know the length of a number.
    const unbounded = problems(specSchema({ a: integer }, rule("'a is ' + string(self.a)"))).join();
    assert.match(
      unbounded,
      /messageExpression: Forbidden: estimated messageExpression cost exceeds budget by factor of more than 100x/,
    );
  });

  test('rejects oldSelf where values cannot be correlated, and optionalOldSelf without oldSelf', () => {
    const rules = [{ rule: 'self.a == oldSelf.a' }];
    const item = { type: 'object', required: ['a'], properties: { a: integer }, 'x-kubernetes-validations': rules };
    const list = (facts: JsonObject) => ({ type: 'array', maxItems: 5, items: item, ...facts });
    const within =
      'oldSelf cannot be used on the uncorrelatable portion of the schema within schema.properties[spec].properties[list]';
    const rule = 'schema.properties[spec].properties[list].items.x-kubernetes-validations[0].rule';
    const text = `${rule}: Invalid value: "self.a == oldSelf.a": ${within}`;
    assert.deepEqual(problems(specSchema({ list: list({}) })), [text]);
    assert.deepEqual(problems(specSchema({ list: list({ 'x-kubernetes-list-type': 'set' }) })), [text]);
    const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] };
    assert.deepEqual(problems(specSchema({ list: list(keyed) })), []);
    const optional = { rule: 'self.a == 1', optionalOldSelf: true };
    assert.deepEqual(problems(specSchema({ a: integer }, optional)), [
      `${place}.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`,
    ]);
    const used = { rule: 'oldSelf.hasValue() || self.a == 1', optionalOldSelf: true };
    assert.deepEqual(problems(specSchema({ a: integer }, used)), []);
  });

  test('rejects rules whose estimated cost exceeds the limit', () => {
    const list = { type: 'array', items: { type: 'string' } };
    const all = (depth: number): string =>
      depth === 0 ? 'true' : `self.list.all(x${depth}, ${depth === 1 ? "x1.contains('a')" : all(depth - 1)})`;
    assert.deepEqual(problems(specSchema({ list }, all(2))), [
      `${place}.rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${advice}`,
      `${place}.rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
      `schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x ${advice}`,
    ]);
    const bounded = { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 100 } };
    assert.deepEqual(problems(specSchema({ list: bounded }, all(2))), []);
    assert.match(
      problems(specSchema({ list: { ...bounded, maxItems: 700 } }, all(2))).join(),
      /factor of \d\.\d+x \(try/,
    );
    assert.match(problems(specSchema({ list }, all(2)), true).join(), /^[^,]*contributed to/);
  });

  test('multiplies estimates by the size of enclosing lists and maps', () => {
    const rules = [{ rule: "self.matches('^a+$')" }];
    const text = { type: 'string', maxLength: 1000, 'x-kubernetes-validations': rules };
    const message = /estimated rule cost exceeds budget by factor of (\S+)/;
    const factor = (facts: JsonObject) =>
      message.exec(problems(specSchema({ list: { type: 'array', items: text, ...facts } })).join())?.[1];
    assert.equal(factor({ maxItems: 100 }), undefined);
    assert.equal(factor({ maxItems: 30_000 }), '1.206000x');
    assert.equal(factor({}), '42.2x');
  });

  test('rejects rules on values that expressions cannot access', () => {
    const blind = { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-validations': [{ rule: 'true' }] };
    assert.deepEqual(problems(specSchema({ blind })), [
      'schema.properties[spec].properties[blind].x-kubernetes-validations: Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
    ]);
  });

  test('compiles rules on fields whose names cannot be escaped', () => {
    const odd = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }, { rule: 'self.a' }] };
    const found = problems(specSchema({ 'a b': odd }));
    assert.equal(found.length, 1);
    assert.match(
      found.join(),
      /properties\[a b\]\.x-kubernetes-validations\[1\]\.rule: .*does not support field selection/,
    );
  });
});

test('compiles the rules of a level one by one', () => {
  const rules = Array.from({ length: 100 }, (_, index) => ({ rule: `self.a > ${index}` }));
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: integer }, 'x-kubernetes-validations': rules } },
  };
  const { yields } = counted(schemaRuleCompiler.problems(compileSchema(schema), 'schema'));
  assert.ok(yields >= rules.length, String(yields));
});
