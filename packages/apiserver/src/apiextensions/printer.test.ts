import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonObject, type JsonValue, stringifyJson } from '@binnacle/apimachinery/json';
import { customPrinter } from './printer.js';

const now = Date.parse('2026-01-02T00:00:00Z');
const printed = (object: JsonObject, type: string, jsonPath = '.value') => {
  const { columns, printRow } = customPrinter([{ name: 'Value', type, jsonPath }]);
  assert.equal(columns.length, 2);
  return printRow({ metadata: { name: 'a' }, ...object }, { now })[1];
};

describe('a column of a custom resource', () => {
  const cases: [type: string, value: JsonValue, cell: JsonValue][] = [
    ['string', 'x', 'x'],
    ['string', 5, '5'],
    ['string', true, 'true'],
    ['string', null, '<no value>'],
    ['string', { b: 1, a: [true] }, '{"a":[true],"b":1}'],
    ['integer', 5, 5],
    ['integer', 5.9, 5],
    ['integer', 2n ** 62n, 2n ** 62n],
    ['integer', 'x', null],
    ['number', 1.5, 1.5],
    ['number', '1.5', null],
    ['boolean', false, false],
    ['boolean', 'true', null],
    ['date', '2026-01-01T00:00:00Z', '24h'],
    ['date', '', '<unknown>'],
    ['date', 'yesterday', '<invalid>'],
    ['date', '2026-13-01T00:00:00Z', '<invalid>'],
    ['date', 5, null],
    ['other', 'x', null],
  ];
  for (const [type, value, cell] of cases) {
    it(`shows ${stringifyJson(value)} as ${type}: ${stringifyJson(cell)}`, () => {
      assert.deepEqual(printed({ value }, type), cell);
    });
  }

  it('is empty where the path leads nowhere', () => {
    assert.equal(printed({}, 'string'), null);
    assert.equal(printed({ value: { a: [{ b: 'first' }, { b: 'second' }] } }, 'string', '.value.a[*].b'), 'first');
  });
});

describe('the table of a custom resource', () => {
  it('has the age, unless the definition has columns', () => {
    for (const given of [undefined, []]) {
      const { columns, printRow } = customPrinter(given);
      assert.deepEqual(
        columns.map(({ name }) => name),
        ['Name', 'Age'],
      );
      const metadata = { name: 'a', creationTimestamp: '2026-01-01T23:59:00Z' };
      assert.deepEqual(printRow({ metadata }, { now }), ['a', '60s']);
    }
  });

  it('describes its columns', () => {
    const { columns } = customPrinter([
      { name: 'A', type: 'string', jsonPath: '.a' },
      { name: 'B', type: 'integer', format: 'int64', description: 'b', priority: 1, jsonPath: '.b' },
    ]);
    const description = 'Custom resource definition column (in JSONPath format): .a';
    assert.deepEqual(columns.slice(1), [
      { name: 'A', type: 'string', format: '', description, priority: 0 },
      { name: 'B', type: 'integer', format: 'int64', description: 'b', priority: 1 },
    ]);
  });

  it('ends before a column whose path cannot be read', () => {
    const paths = ['.a', '.b[', '.c'];
    const { columns, printRow } = customPrinter(
      paths.map((jsonPath) => ({ name: jsonPath, type: 'string', jsonPath })),
    );
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['Name', '.a'],
    );
    assert.deepEqual(printRow({ a: 'x', c: 'y' }, { now }), ['', 'x']);
  });

  describe('bounds the work of', () => {
    const columns = (count: number, jsonPath: string) =>
      Array.from({ length: count }, (_, index) => ({ name: `c${index}`, type: 'string', jsonPath }));
    const text = 'x\n'.repeat(400_000);
    const object = { text, list: Array.from({ length: 20_000 }, (_, a) => ({ a })) };

    it('a row', () => {
      const cells = customPrinter(columns(200, '.text')).printRow(object, { now }).slice(1);
      const shown = cells.filter((cell) => cell === text).length;
      assert.ok(shown > 1 && shown < 20, String(shown));
      assert.equal(cells.filter((cell) => cell === null).length, 200 - shown);
    });

    it('a table', () => {
      const { printRow } = customPrinter(columns(1, '.list[?(@.a==5000)].a'));
      const work = { units: 100_000 };
      const rows = Array.from({ length: 5 }, () => printRow(object, { now, work })[1]);
      assert.deepEqual(rows, ['5000', '5000', '5000', null, null]);
      assert.equal(work.units, 0);
      const small = customPrinter(columns(20, '.list[?(@.a==10)].a')).printRow(object, { now, work });
      assert.deepEqual(
        small.slice(1),
        Array.from({ length: 20 }, () => '10'),
      );
    });

    it('values that are not text', () => {
      const [, ...cells] = customPrinter(columns(40, '.list')).printRow(object, { now });
      assert.ok(cells.filter((cell) => cell !== null).length < 10);
    });
  });
});
