import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findAll, findFirst, JsonPathError, parseJsonPath } from './index.js';

const document = {
  spec: {
    'a.b': 1,
    list: [10, 20, 30],
    nested: [
      { n: 'x', v: 1 },
      { n: 'y', v: 2 },
    ],
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' },
    ],
  },
};

describe('JSON paths', () => {
  const cases: [path: string, found: unknown[]][] = [
    ['.spec.list[1]', [20]],
    ['.spec.list[-1]', [30]],
    ['.spec.list[0:2]', [10, 20]],
    ['.spec.list[*]', [10, 20, 30]],
    [".spec['a.b']", [1]],
    ['.spec.a\\.b', [1]],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    ["..conditions[?(@.type != 'Ready')].type", ['Other']],
    ['.spec.nested[?(@.v>1)].n', ['y']],
    ['.spec.nested[?(@.nope)].n', []],
    ['.spec..v', [1, 2]],
    ['.nope.a[0]', []],
    ['.', [document]],
  ];
  for (const [path, found] of cases) it(path, () => assert.deepEqual(findAll(document, parseJsonPath(path)), found));

  it('read only own keys', () => {
    assert.equal(findFirst({}, parseJsonPath('.constructor.name')), undefined);
  });

  for (const path of ['spec', '.a[', '.a[x]', `${'.a[?(@'.repeat(20)}${')]'.repeat(20)}`]) {
    it(`reject ${path.slice(0, 10)}`, () => assert.throws(() => parseJsonPath(path), JsonPathError));
  }
});
