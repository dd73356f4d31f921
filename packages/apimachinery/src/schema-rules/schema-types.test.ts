import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../json/index.js';
import { compileSchema } from '../structural/index.js';
import { declaredType } from './declared-type.js';
import { escapeFieldName, unescapeFieldName } from './field-names.js';
import { ruleErrors, specRuleErrors, problems, specSchema } from './rules.testing.js';

const string = { type: 'string' };
const integer = { type: 'integer' };

function sizes(schema: JsonObject): [string | undefined, number | undefined, number | undefined] {
  const declared = declaredType(compileSchema(schema), false);
  return [declared?.kind, declared?.minimumBytes, declared?.maximumSize];
}

describe('types of schemas', () => {
  test('escape field names and back', () => {
    for (const [name, escaped] of [
      ['a', 'a'],
      ['a-b.c/d__e', 'a__dash__b__dot__c__slash__d__underscores__e'],
      ['namespace', '__namespace__'],
      ['int', 'int'],
      ['a_b', 'a_b'],
    ] as const) {
      assert.equal(escapeFieldName(name), escaped);
      assert.equal(unescapeFieldName(escaped), name);
    }
    for (const name of ['', '1a', 'a b', '$ref', 'é']) assert.equal(escapeFieldName(name), undefined);
    for (const escaped of ['__nothing__', 'a__if__']) assert.equal(unescapeFieldName(escaped), undefined);
  });

  test("have upstream's sizes", () => {
    assert.deepEqual(sizes({ type: 'string' }), ['string', 2, 3_145_726]);
    assert.deepEqual(sizes({ type: 'string', maxLength: 10 }), ['string', 2, 40]);
    assert.deepEqual(sizes({ type: 'string', enum: ['a', 'bbb'] }), ['string', 2, 3]);
    assert.deepEqual(sizes({ type: 'string', format: 'byte', maxLength: 10 }), ['bytes', 2, 10]);
    assert.deepEqual(sizes({ type: 'string', format: 'date' }), ['timestamp', 12, 12]);
    assert.deepEqual(sizes({ type: 'string', format: 'date-time' }), ['timestamp', 21, 32]);
    assert.deepEqual(sizes({ type: 'string', format: 'duration' }), ['duration', 3, 32]);
    assert.deepEqual(sizes({ 'x-kubernetes-int-or-string': true }), ['dyn', 1, 3_145_726]);
    assert.deepEqual(sizes({ type: 'array', items: string }), ['list', 2, 1_048_575]);
    assert.deepEqual(sizes({ type: 'array', items: string, maxItems: 7 }), ['list', 2, 7]);
    assert.deepEqual(sizes({ type: 'object', additionalProperties: integer }), ['map', 2, 449_389]);
    const named = {
      type: 'object',
      required: ['name', 'set'],
      properties: { name: string, set: { ...string, default: 'x' } },
    };
    assert.deepEqual(sizes(named), ['object', 12, 0]);
    assert.deepEqual(sizes({ type: 'array', items: named }), ['list', 2, 241_978]);
    assert.deepEqual(sizes({ 'x-kubernetes-preserve-unknown-fields': true }), [undefined, undefined, undefined]);
  });

  test('turn formats into timestamps, durations and bytes', () => {
    const schema = specSchema(
      {
        at: { type: 'string', format: 'date-time' },
        day: { type: 'string', format: 'date' },
        span: { type: 'string', format: 'duration' },
        raw: { type: 'string', format: 'byte' },
      },
      "self.at == timestamp('2026-01-02T02:04:05.5Z')",
      'self.day.getFullYear() == 2026 && self.day < self.at',
      "self.span == duration('36h')",
      "self.raw == b'abc'",
    );
    assert.deepEqual(problems(schema), []);
    const spec = { at: '2026-01-02t03:04:05.5+01:00', day: '2026-01-01', span: '1 day 12 hours', raw: 'YWJj' };
    assert.deepEqual(specRuleErrors(schema, spec), []);
    assert.deepEqual(specRuleErrors(schema, { ...spec, raw: 'YWJk' }), [
      "spec: Invalid value: failed rule: self.raw == b'abc'",
    ]);
  });

  test('give numbers the type of their schema; int-or-string may be either', () => {
    const port = { 'x-kubernetes-int-or-string': true };
    const schema = specSchema(
      { count: integer, ratio: { type: 'number' }, port },
      'self.count + 1 == 3 && self.ratio / 2.0 == 1.0',
      "type(self.port) == int ? self.port < 5 : self.port == 'http'",
    );
    assert.deepEqual(specRuleErrors(schema, { count: 2, ratio: 2, port: 4 }), []);
    assert.deepEqual(specRuleErrors(schema, { count: 2n, ratio: 2, port: 'http' }), []);
    assert.deepEqual(specRuleErrors(specSchema({ port }, 'self.port > 3'), { port: 'x' }), [
      `spec: Invalid value: "object": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self.port > 3`,
    ]);
  });

  test('treat null fields as absent, and keep null entries and items', () => {
    const nullable = { type: 'string', nullable: true };
    const schema = specSchema(
      {
        text: nullable,
        map: { type: 'object', additionalProperties: nullable },
        list: { type: 'array', items: nullable },
      },
      '!has(self.text)',
      "'a' in self.map && self.map['a'] == dyn(null)",
      'self.list[0] == dyn(null) && size(self.list) == 1',
    );
    assert.deepEqual(specRuleErrors(schema, { text: null, map: { a: null }, list: [null] }), []);
  });

  test('hide unknown fields, but compare them', () => {
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: integer } };
    const schema = specSchema({ one: open, both: { type: 'array', items: open } }, 'self.both[0] == self.both[1]');
    assert.deepEqual(
      specRuleErrors(schema, {
        both: [
          { a: 1, b: { c: 1 } },
          { a: 1, b: { c: 1 } },
        ],
      }),
      [],
    );
    assert.equal(
      specRuleErrors(schema, {
        both: [
          { a: 1, b: { c: 1 } },
          { a: 1, b: { c: 2 } },
        ],
      }).length,
      1,
    );
    assert.equal(specRuleErrors(schema, { both: [{ a: 1, b: 1 }, { a: 1 }] }).length, 1);
    assert.match(problems(specSchema({ one: open }, 'self.one.b == 1')).join(), /undefined field 'b'/);
    const blind = { type: 'object', properties: { x: { 'x-kubernetes-preserve-unknown-fields': true } } };
    const pair = specSchema({ both: { type: 'array', items: blind } }, 'self.both[0] == self.both[1]');
    assert.deepEqual(specRuleErrors(pair, { both: [{ x: [1] }, { x: [1] }] }), []);
    assert.equal(specRuleErrors(pair, { both: [{ x: [1] }, { x: [2] }] }).length, 1);
  });

  test('offer reserved words as field names both escaped and plain', () => {
    const named = specSchema({ namespace: string }, "self.namespace == 'a' && self.__namespace__ == 'a'");
    assert.deepEqual(problems(named), []);
    assert.deepEqual(specRuleErrors(named, { namespace: 'a' }), []);
  });

  test('give every resource a type and a name', () => {
    const embedded = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    };
    const schema = {
      ...specSchema({ inner: embedded }, "self.inner.kind == 'Pod'"),
      'x-kubernetes-validations': [
        { rule: "self.metadata.name.startsWith('a') && self.kind == 'Thing' && self.apiVersion == 'example.com/v1'" },
      ],
    };
    assert.deepEqual(problems(schema), []);
    const inner = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } };
    const object = {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'a', labels: {} },
      spec: { inner },
    };
    assert.deepEqual(ruleErrors(schema, object), []);
    assert.equal(ruleErrors(schema, { ...object, metadata: { name: 'b' } }).length, 1);
    const labels = { type: 'object', 'x-kubernetes-validations': [{ rule: "self.metadata.labels['a'] == 'b'" }] };
    assert.match(problems(labels).join(), /undefined field 'labels'/);
  });

  test('differ for every object', () => {
    const pair = { type: 'object', properties: { a: integer } };
    const text = problems(specSchema({ one: pair, other: pair }, 'self.one == self.other')).join();
    assert.match(text, /found no matching overload for '_==_' applied to '\(selfType\.one, selfType\.other\)'/);
  });
});
