import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonValue } from '../json/index.js';
import { findAll, findFirst } from './find.js';
import { JsonPathError, parseJsonPath } from './index.js';
import { VisitBudget } from './search-budget.js';

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
    ['.spec.list[-2:]', [20, 30]],
    ['.spec.list[::2]', [10, 30]],
    ['.spec.list[5:]', []],
    ['.spec.nested..*', [...document.spec.nested, 'x', 1, 'y', 2]],
    ['.spec[?(@.v==1)]', []],
    ['.spec.nested[?(@==@)]', []],
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

  describe('visit', () => {
    const items = Array.from({ length: 10_000 }, (_, a) => ({ a }));
    let deep: JsonValue = {};
    for (let depth = 0; depth < 300; depth++) deep = { a: deep };
    const visits = (
      value: JsonValue,
      text: string,
      limit = Infinity,
    ): [found: JsonValue | undefined, units: number] => {
      let units = 0;
      const spend = (more: number) => (units += more) <= limit;
      return [findFirst(value, parseJsonPath(text), { spend }), units];
    };

    for (const [path, found] of [
      ['[*].a', 0],
      ['[0:10000:1].a', 0],
      ['[5000:].a', 5000],
      ['[?(@.a==3)].a', 3],
      ['..a', 0],
    ] as const) {
      it(`nothing after the first value of ${path}`, () => {
        const [value, units] = visits(items, path);
        assert.equal(value, found);
        assert.ok(units < 50, String(units));
      });
    }

    it('no more values than a budget allows', () => {
      for (const path of ['..a..a..a.b', '..a..a[?(@..a)]..b']) {
        const [value, units] = visits(deep, path, 50_000);
        assert.equal(value, undefined);
        assert.ok(units > 50_000 && units < 51_000, String(units));
      }
      assert.equal(visits(items, '[?(@.a==9999)].a', 1000)[0], undefined);
      assert.equal(findAll(items, parseJsonPath('[*]'), new VisitBudget(15)).length, 10);
    });

    it('any number of steps', () => {
      assert.equal(findFirst('x', parseJsonPath('..'.repeat(20_000))), 'x');
      assert.equal(findFirst({}, parseJsonPath('.a'.repeat(20_000))), undefined);
    });

    it('long texts of a comparison', () => {
      const list = Array.from({ length: 10 }, () => ({ a: 'x'.repeat(64_000), b: 'y'.repeat(64_000) }));
      assert.ok(visits(list, '[?(@.a==@.b)]')[1] > 10_000);
    });
  });

  for (const path of ['spec', '.a[', '.a[x]', `${'.a[?(@'.repeat(20)}${')]'.repeat(20)}`]) {
    it(`reject ${path.slice(0, 10)}`, () => assert.throws(() => parseJsonPath(path), JsonPathError));
  }
});
