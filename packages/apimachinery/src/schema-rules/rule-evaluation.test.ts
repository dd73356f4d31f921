import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../json/index.js';
import { compileSchema, validateDefaults } from '../structural/index.js';
import { counted } from '../testing/index.js';
import { finish } from '../work/index.js';
import { ruleErrors, specRuleErrors, problems, show, specSchema } from './rules.testing.js';
import { schemaRuleCompiler } from './schema-rule-compiler.js';

const integer = { type: 'integer' };
const string = { type: 'string' };
const rules = (...list: JsonObject[]) => ({ 'x-kubernetes-validations': list });

describe('evaluating rules', () => {
  test('reports messages, reasons and paths', () => {
    const answer = (rule: JsonObject, properties: JsonObject = { a: integer }) =>
      specRuleErrors(specSchema(properties, { rule: 'self.a == 1', ...rule }), { a: 2 });
    assert.deepEqual(answer({}), ['spec: Invalid value: failed rule: self.a == 1']);
    assert.deepEqual(answer({ message: ' a is one ' }), ['spec: Invalid value: a is one']);
    assert.deepEqual(answer({ reason: 'FieldValueForbidden', fieldPath: '.a' }), [
      'spec.a: Forbidden: failed rule: self.a == 1',
    ]);
    assert.deepEqual(answer({ reason: 'FieldValueRequired', message: 'm' }), ['spec: Required value: m']);
    assert.deepEqual(answer({ reason: 'FieldValueDuplicate', message: 'm' }), ['spec: Duplicate value']);
    const map = { a: integer, m: { type: 'object', additionalProperties: string } };
    assert.deepEqual(answer({ message: 'm', fieldPath: ".m['k']" }, map), ['spec.m[k]: Invalid value: m']);
    const scalar = { a: { ...integer, ...rules({ rule: 'self == 1', message: 'm' }) } };
    assert.deepEqual(specRuleErrors(specSchema(scalar), { a: 2 }), ['spec.a: Invalid value: 2: m']);
  });

  test('uses messageExpression, and falls back when it fails', () => {
    const answer = (messageExpression: string) =>
      specRuleErrors(
        specSchema(
          { a: integer, l: { type: 'array', items: string } },
          { rule: 'self.a == 1', message: 'plain', messageExpression },
        ),
        { a: 2 },
      );
    assert.deepEqual(answer("'a is ' + string(self.a)"), ['spec: Invalid value: a is 2']);
    for (const unusable of ["' '", "'a\\nb'", 'self.l[3]', `'${'x'.repeat(5121)}'`]) {
      assert.deepEqual(answer(unusable), ['spec: Invalid value: plain'], unusable);
    }
  });

  test('evaluates every level, outermost first', () => {
    const item = {
      type: 'object',
      properties: { n: { ...integer, ...rules({ rule: 'self > 0' }) } },
      ...rules({ rule: 'has(self.n)' }),
    };
    const schema = specSchema(
      { list: { type: 'array', items: item }, map: { type: 'object', additionalProperties: item } },
      'size(self.list) < 2',
    );
    assert.deepEqual(specRuleErrors(schema, { list: [{ n: 0 }, {}], map: { 'a/b': { n: -1 } } }), [
      'spec: Invalid value: failed rule: size(self.list) < 2',
      'spec.list[0].n: Invalid value: 0: failed rule: self > 0',
      'spec.list[1]: Invalid value: failed rule: has(self.n)',
      'spec.map[a/b].n: Invalid value: -1: failed rule: self > 0',
    ]);
    assert.deepEqual(ruleErrors({ type: 'object', ...rules({ rule: 'false' }) }, {}), [
      '<nil>: Invalid value: failed rule: false',
    ]);
  });

  test('skips null', () => {
    const nullable = { type: 'object', nullable: true, properties: {}, ...rules({ rule: 'false' }) };
    assert.deepEqual(specRuleErrors(specSchema({ n: nullable }), { n: null }), []);
  });

  test('reports the error of a rule that fails', () => {
    const schema = specSchema(
      { a: integer, m: { type: 'object', additionalProperties: string } },
      "self.m['x'] == 'y'",
      '1 / self.a == 1',
    );
    assert.deepEqual(specRuleErrors(schema, { a: 0, m: {} }), [
      `spec: Invalid value: "object": no such key: x evaluating rule: self.m['x'] == 'y'`,
      'spec: Invalid value: "object": division by zero evaluating rule: 1 / self.a == 1',
    ]);
  });
});

describe('rules on updates', () => {
  const grows = { rule: 'self >= oldSelf', message: 'may not shrink' };
  const size = { ...integer, ...rules(grows) };

  test('evaluates transition rules only where an old value exists', () => {
    const schema = specSchema({ size });
    assert.deepEqual(specRuleErrors(schema, { size: 1 }), []);
    assert.deepEqual(specRuleErrors(schema, { size: 1 }, {}), []);
    assert.deepEqual(specRuleErrors(schema, { size: 1 }, { size: 1 }), []);
    assert.deepEqual(specRuleErrors(schema, { size: 1 }, { size: 2 }), ['spec.size: Invalid value: 1: may not shrink']);
  });

  test('evaluates transition rules in any case with optionalOldSelf', () => {
    const rule = { rule: 'oldSelf.hasValue() ? self == oldSelf.value() : self == 1', optionalOldSelf: true };
    const schema = specSchema({ size: { ...integer, ...rules(rule) } });
    assert.deepEqual(problems(schema), []);
    assert.deepEqual(specRuleErrors(schema, { size: 1 }), []);
    assert.equal(specRuleErrors(schema, { size: 2 }).length, 1);
    assert.equal(specRuleErrors(schema, { size: 2 }, { size: 1 }).length, 1);
    assert.deepEqual(specRuleErrors(schema, { size: 2 }, { size: 2 }), []);
  });

  test('correlates map values and items of keyed lists, not other items', () => {
    const item = { type: 'object', required: ['name'], properties: { name: string, size } };
    const keyed = {
      type: 'array',
      items: item,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    };
    const schema = specSchema({
      list: keyed,
      map: { type: 'object', additionalProperties: size },
      plain: { type: 'array', items: size },
    });
    const old = {
      list: [
        { name: 'a', size: 5 },
        { name: 'b', size: 1 },
      ],
      map: { x: 5 },
      plain: [5],
    };
    assert.deepEqual(
      specRuleErrors(
        schema,
        {
          list: [
            { name: 'b', size: 2 },
            { name: 'a', size: 4 },
          ],
          map: { x: 4, y: 1 },
          plain: [4],
        },
        old,
      ),
      ['spec.list[1].size: Invalid value: 4: may not shrink', 'spec.map[x]: Invalid value: 4: may not shrink'],
    );
  });

  test('ratchets unchanged values, except for transition rules', () => {
    const positive = { ...integer, ...rules({ rule: 'self > 0' }) };
    const schema = specSchema(
      { a: positive, b: integer, s: { ...integer, ...rules({ rule: 'self > oldSelf' }) } },
      'self.b > 0',
    );
    assert.equal(specRuleErrors(schema, { a: 0, b: 1 }).length, 1);
    assert.deepEqual(specRuleErrors(schema, { a: 0, b: 2 }, { a: 0, b: 1 }), []);
    assert.deepEqual(specRuleErrors(schema, { a: 0, b: 0 }, { a: 0, b: 0 }), []);
    assert.deepEqual(specRuleErrors(schema, { a: -1, b: 1 }, { a: 0, b: 1 }), [
      'spec.a: Invalid value: -1: failed rule: self > 0',
    ]);
    assert.deepEqual(specRuleErrors(schema, { a: 1, b: 1, s: 1 }, { a: 1, b: 1, s: 1 }), [
      'spec.s: Invalid value: 1: failed rule: self > oldSelf',
    ]);
  });

  test('returns ratcheted errors separately', () => {
    const schema = compileSchema(specSchema({ a: integer }, { rule: 'self.a > 0', message: 'too small' }));
    const passed: string[] = [];
    const object = { spec: { a: 0 } };
    const compiled = schemaRuleCompiler.compile(schema);
    assert.ok(compiled !== undefined);
    assert.deepEqual(finish(compiled.validate(object, object, (error) => passed.push(...show([error])))), []);
    assert.deepEqual(passed, ['spec: Invalid value: too small']);
  });

  test('treats items of plain lists as unchanged if the list is', () => {
    const schema = specSchema({
      b: integer,
      list: { type: 'array', items: { ...integer, ...rules({ rule: 'self > 0' }) } },
    });
    assert.deepEqual(specRuleErrors(schema, { b: 2, list: [0] }, { b: 1, list: [0] }), []);
    assert.equal(specRuleErrors(schema, { b: 2, list: [0, 1] }, { b: 1, list: [0] }).length, 1);
  });

  test('never treats the type of an object or unknown fields as unchanged', () => {
    const kind = { ...string, ...rules({ rule: "self == 'A'" }) };
    const object = { kind: 'B', spec: {} };
    assert.equal(ruleErrors({ type: 'object', properties: { kind } }, object, object).length, 1);
    const open = specSchema({
      o: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...rules({ rule: 'false' }) },
    });
    assert.equal(specRuleErrors(open, { o: { x: 1 } }, { o: { x: 1 } }).length, 1);
    assert.equal(specRuleErrors(open, { o: {} }, { o: {} }).length, 0);
  });
});

describe('defaults', () => {
  const objectMeta = { name: 'ObjectMeta', goName: 'ObjectMeta', fields: [], byName: new Map() };

  test('must satisfy the rules of their schema, unchanged and as new values', () => {
    const check = (rule: JsonObject) => {
      const a = { ...integer, default: 5, ...rules(rule) };
      const options = { objectMeta, requirePruned: true, rules: schemaRuleCompiler };
      return show(finish(validateDefaults(compileSchema(specSchema({ a })), 'schema', options)));
    };
    const place = 'schema.properties[spec].properties[a].default';
    assert.deepEqual(check({ rule: 'self > 5' }), [`${place}: Invalid value: 5: failed rule: self > 5`]);
    assert.deepEqual(check({ rule: 'self > 4' }), []);
    assert.deepEqual(check({ rule: 'self > oldSelf' }), [`${place}: Invalid value: 5: failed rule: self > oldSelf`]);
    assert.equal(check({ rule: 'oldSelf.hasValue()', optionalOldSelf: true }).length, 1);
  });
});

describe('cost limits', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
  const list = { type: 'array', items: integer };

  test('apply to one evaluation', () => {
    const schema = specSchema({ list }, { rule: 'self.list.all(a, self.list.all(b, a + b >= 0))', message: 'sums' });
    assert.deepEqual(specRuleErrors(schema, { list: numbers(1000) }), [
      `spec: Invalid value: "object": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: sums`,
    ]);
  });

  test('apply to all evaluations of an object', () => {
    const item = { ...list, ...rules({ rule: 'self.all(a, self.all(b, a + b >= 0))' }) };
    const schema = specSchema({ lists: { type: 'array', items: item } });
    const answer = specRuleErrors(schema, { lists: Array.from({ length: 100 }, () => numbers(250)) });
    assert.equal(answer.length, 1);
    assert.match(
      answer.join(),
      /^spec\.lists\[\d+\]: Invalid value: "array": validation failed due to running out of cost budget, no further validation rules will be run$/,
    );
  });

  test('apply to a message', () => {
    const messageExpression = "self.list.map(a, self.list.map(b, 'x')).size() > 0 ? 'a' : 'b'";
    const schema = specSchema({ list }, { rule: 'false', messageExpression });
    assert.deepEqual(specRuleErrors(schema, { list: numbers(1000) }), [
      `spec: Invalid value: "object": no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(messageExpression)}`,
    ]);
  });

  test('charge comparisons for the nested values they visit', () => {
    const deep = { type: 'array', items: { type: 'array', items: list } };
    const value = [[numbers(20_000)]];
    const schema = specSchema({ a: deep, b: deep, list }, 'self.list.all(x, self.a == self.b)');
    assert.match(specRuleErrors(schema, { a: value, b: value, list: numbers(100_000) }).join(), /cost limit exceeded/);
    const set = { ...list, 'x-kubernetes-list-type': 'set' };
    const union = specSchema({ a: set, list }, 'self.list.all(x, size(self.a + [x]) > 0)');
    assert.match(specRuleErrors(union, { a: numbers(100_000), list: numbers(100_000) }).join(), /cost limit exceeded/);
  });

  test('apply to all defaults of a schema together', () => {
    const validate = schemaRuleCompiler.defaultValidator();
    const schema = compileSchema({ ...list, ...rules({ rule: 'self.all(a, self.all(b, a + b >= 0))' }) });
    const answers = Array.from({ length: 100 }, (_, index) =>
      finish(validate(numbers(250), schema, `d${index}`, false)),
    );
    assert.equal(answers.flat().length, 1);
    assert.deepEqual(answers.at(-1), []);
  });
});

describe('an evaluation takes steps', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
  const list = { type: 'array', items: integer };
  const yieldsOf = (schema: JsonObject, object: JsonObject): number => {
    const compiled = schemaRuleCompiler.compile(compileSchema(schema));
    assert.ok(compiled !== undefined);
    return counted(compiled.validate(object, undefined)).yields;
  };

  test('in the loops of a rule and of its message', () => {
    const loop = 'self.list.map(a, self.list.map(b, self.list.map(c, c))).size() > 0';
    const rule = { rule: `${loop} && false`, messageExpression: `${loop} ? 'a' : 'b'` };
    assert.ok(yieldsOf(specSchema({ list }, rule), { spec: { list: numbers(1000) } }) >= 100);
  });

  test('between the rules of many values', () => {
    const schema = specSchema({ list: { type: 'array', items: { ...integer, ...rules({ rule: 'self >= 0' }) } } });
    assert.ok(yieldsOf(schema, { spec: { list: numbers(20_000) } }) >= 10);
  });

  test('between the rules of one value', () => {
    const nine = Array.from({ length: 9 }, () => "self.text.upperAscii() != 'x'");
    assert.ok(yieldsOf(specSchema({ text: string }, ...nine), { spec: { text: 'aA'.repeat(100_000) } }) >= 9);
  });

  test('when a loop reads much', () => {
    const wide = { type: 'object', additionalProperties: string };
    const schema = specSchema({ list: { type: 'array', items: wide } }, 'self.list.all(m, size(m) > 0)');
    const map = Object.fromEntries(numbers(1000).map((number) => [`k${number}`, '']));
    assert.ok(yieldsOf(schema, { spec: { list: Array.from({ length: 1000 }, () => map) } }) >= 10);
  });

  test('in the defaults of a schema', () => {
    const validate = schemaRuleCompiler.defaultValidator();
    const schema = compileSchema({ ...list, ...rules({ rule: 'self.all(a, self.all(b, a + b >= 0))' }) });
    assert.ok(counted(validate(numbers(400), schema, 'd', false)).yields >= 10);
  });
});

test('an observer hears of each evaluation, and of the compilation that the first one needs', () => {
  const heard: string[] = [];
  const observer = {
    compiling: () => (heard.push('compiling'), () => heard.push('compiled')),
    evaluating: () => (heard.push('evaluating'), () => heard.push('evaluated')),
  };
  const schema = compileSchema(specSchema({ a: { type: 'integer' } }, 'self.a != 7'));
  const rules = schemaRuleCompiler.compile(schema, observer);
  assert.ok(rules !== undefined);
  for (const a of [1, 7]) finish(rules.validate({ spec: { a } }, undefined));
  assert.deepEqual(heard, ['evaluating', 'compiling', 'compiled', 'evaluated', 'evaluating', 'evaluated']);
});

test('the first object under a schema yields between the rules that it compiles', () => {
  const rules = Array.from({ length: 50 }, (_, index) => `self.a != ${index}`);
  const compiled = schemaRuleCompiler.compile(compileSchema(specSchema({ a: { type: 'integer' } }, ...rules)));
  assert.ok(compiled !== undefined);
  const yieldsOf = (a: number): { yields: number; errors: string[] } => {
    const { result, yields } = counted(compiled.validate({ spec: { a } }, undefined));
    return { yields, errors: show(result) };
  };
  const errors = ['spec: Invalid value: failed rule: self.a != 7'];
  assert.deepEqual(yieldsOf(7), { yields: 300, errors });
  assert.deepEqual(yieldsOf(7), { yields: 0, errors });
});
