import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../json/index.js';
import { finish } from '../work/index.js';
import { openApiType, type Type, typeWarnings } from './index.js';

const schemas: Record<string, JsonObject> = {
  node: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      'a-b': { type: 'integer' },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      port: { 'x-kubernetes-int-or-string': true },
      since: { type: 'string', format: 'date-time' },
      children: { type: 'array', items: { $ref: '#/node' } },
      only: { allOf: [{ $ref: '#/node' }], default: {} },
      endless: { $ref: '#/endless' },
    },
  },
  endless: { $ref: '#/endless' },
};

function type(): Type {
  const found = openApiType({ $ref: '#/node' }, 'Node', (reference) => schemas[reference.slice(2)]);
  assert.ok(found);
  return found;
}

function warningsOf(expression: string, variables: { name: string; expression: string }[] = []): string[] {
  const kinds = [{ name: 'g/v1, Kind=Node', type: type() }];
  const expressions = [{ field: 'f', expression }];
  const found = finish(typeWarnings({ kinds, variables, expressions, params: { type: undefined } }));
  return found.map(({ warning }) => warning.split('\n')[0]?.replace('g/v1, Kind=Node: ERROR: <input>:', '') ?? '');
}

describe('type warnings', () => {
  const cases: readonly (readonly [expression: string, warnings: readonly string[]])[] = [
    ['object.children[0].only.name == "a" && object.labels["x"] == "y"', []],
    ['object.a__dash__b == 1 && object.port == 1 && object.port == "x"', []],
    ['object.since < timestamp("2020-01-01T00:00:00Z")', []],
    ['params.anything == 1 && namespaceObject.metadata.name == "a"', []],
    ['object.name', []],
    ['object.nope == 1', ["1:7: undefined field 'nope'"]],
    ['oldObject.children[0].nope == 1', ["1:22: undefined field 'nope'"]],
    ['object.endless == 1', ["1:7: undefined field 'endless'"]],
    ['object.name == 1', ["1:13: found no matching overload for '_==_' applied to '(string, int)'"]],
  ];
  for (const [expression, warnings] of cases) {
    test(expression, () => assert.deepEqual(warningsOf(expression), warnings));
  }

  test('know the types of variables, and nothing of those with errors', () => {
    const variables = [
      { name: 'count', expression: 'object.children.size()' },
      { name: 'broken', expression: 'object.nope' },
    ];
    assert.deepEqual(warningsOf('variables.count == "1"', variables), [
      "1:17: found no matching overload for '_==_' applied to '(int, string)'",
    ]);
    assert.deepEqual(warningsOf('variables.broken == "1"', variables), []);
  });

  test('name each kind', () => {
    const kinds = ['a', 'b'].map((name) => ({ name, type: type() }));
    const expressions = [{ field: 'f', expression: 'object.x' }];
    const [found] = finish(typeWarnings({ kinds, variables: [], expressions }));
    assert.equal(found?.warning.match(/undefined field 'x'/g)?.length, 2);
    assert.match(found?.warning ?? '', /^a: ERROR[^]*\n\nb: ERROR[^]*\n$/);
  });
});
