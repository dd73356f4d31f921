import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { field, header, keyValue, message } from './fields.testing.js';
import { compactMethod, type RangeCall, rangeMethod, type TxnCall, txnMethod } from './kv-messages.js';

const [a, b] = [Buffer.from('a'), Buffer.from('b')];

describe('the request of a range', () => {
  const cases: readonly (readonly [name: string, call: RangeCall, fields: readonly Buffer[]])[] = [
    ['one key', { key: a }, [field(1, 'a')]],
    ['a range', { key: a, rangeEnd: b }, [field(1, 'a'), field(2, 'b')]],
    ['the newest state', { key: a, revision: 0, limit: 0 }, [field(1, 'a')]],
    [
      'a limit and a revision',
      { key: a, limit: 500, revision: 2 ** 40 },
      [field(1, 'a'), field(3, 500), field(4, 2 ** 40)],
    ],
    ['keys alone', { key: a, keysOnly: true }, [field(1, 'a'), field(8, 1)]],
    ['a count', { key: a, countOnly: true }, [field(1, 'a'), field(9, 1)]],
  ];
  for (const [name, call, fields] of cases) {
    it(`has the fields of ${name}`, () => assert.deepEqual(rangeMethod.encode(call), message(...fields)));
  }
});

describe('the response to a range', () => {
  it('has a revision, items and their count', () => {
    const items = [field(2, keyValue('a', 'x', 3, 5)), field(2, keyValue('b', '', 6, 6))];
    assert.deepEqual(rangeMethod.decode(message(header(9), ...items, field(3, 1), field(4, 17))), {
      revision: 9,
      items: [
        { key: 'a', value: Buffer.from('x'), createRevision: 3, modRevision: 5 },
        { key: 'b', value: Buffer.from(''), createRevision: 6, modRevision: 6 },
      ],
      count: 17,
    });
  });

  it('may be empty', () => {
    assert.deepEqual(rangeMethod.decode(header(9)), { revision: 9, items: [], count: 0 });
  });
});

describe('the request of a transaction', () => {
  /** compare: mod_revision (2) of the key is the expected one (EQUAL, 0, is left out). */
  const compare = (revision: number, key = 'a') => field(1, message(field(2, 2), field(3, key), field(6, revision)));
  const orReadRevision = (key: string) => field(3, field(1, message(field(1, key), field(8, 1))));
  const orRead = field(3, field(1, field(1, 'a')));
  const put = (...more: readonly Buffer[]) => field(2, field(2, message(field(1, 'a'), field(2, 'x'), ...more)));
  const remove = (...more: readonly Buffer[]) => field(2, field(3, message(field(1, 'a'), ...more)));
  const value = Buffer.from('x');
  const cases: readonly (readonly [name: string, call: TxnCall, fields: readonly Buffer[]])[] = [
    ['creates', { key: a, expectedRevision: 0, value }, [compare(0), put(), orRead]],
    [
      'updates, and asks for the previous value',
      { key: a, expectedRevision: 7, value, withPrevious: true },
      [compare(7), put(field(4, 1)), orRead],
    ],
    ['updates', { key: a, expectedRevision: 7, value }, [compare(7), put(), orRead]],
    ['creates with a lease', { key: a, expectedRevision: 0, value, lease: 5n }, [compare(0), put(field(3, 5)), orRead]],
    [
      'deletes, and asks for the previous value',
      { key: a, expectedRevision: 7, withPrevious: true },
      [compare(7), remove(field(3, 1)), orRead],
    ],
    ['deletes an absent key', { key: a, expectedRevision: 0 }, [compare(0), remove(), orRead]],
    [
      'creates if other keys are as expected, and asks for their revisions',
      {
        key: a,
        expectedRevision: 0,
        value,
        conditions: [
          { key: Buffer.from('b'), expectedRevision: 4 },
          { key: Buffer.from('c'), expectedRevision: 0 },
        ],
      },
      [compare(0), compare(4, 'b'), compare(0, 'c'), put(), orRead, orReadRevision('b'), orReadRevision('c')],
    ],
  ];
  for (const [name, call, fields] of cases) {
    it(name, () => assert.deepEqual(txnMethod.encode(call), message(...fields)));
  }

  it('may not be sent twice', () => assert.equal(txnMethod.repeatable, false));
});

describe('the response to a transaction', () => {
  const found = { key: 'a', value: Buffer.from('x'), createRevision: 3, modRevision: 5 };
  const stored = keyValue('a', 'x', 3, 5);
  const put = (...fields: readonly Buffer[]) => field(3, field(2, message(header(9), ...fields)));
  const remove = (...fields: readonly Buffer[]) => field(3, field(3, message(header(9), field(2, 1), ...fields)));
  const read = (...fields: readonly Buffer[]) => field(3, field(1, message(header(8), ...fields)));
  const succeeded = field(2, 1);
  const cases: readonly (readonly [name: string, fields: readonly Buffer[], answer: object])[] = [
    ['a create', [header(9), succeeded, put()], { succeeded: true, revision: 9, found: undefined }],
    ['an update', [header(9), succeeded, put(field(2, stored))], { succeeded: true, revision: 9, found }],
    ['a delete', [header(9), succeeded, remove(field(3, stored))], { succeeded: true, revision: 9, found }],
    ['a lost race', [header(8), read(field(2, stored), field(4, 1))], { succeeded: false, revision: 8, found }],
    ['a missing key', [header(8), read()], { succeeded: false, revision: 8, found: undefined }],
    [
      'conditions',
      [header(8), read(), read(field(2, stored), field(4, 1)), read()],
      { succeeded: false, revision: 8, found: undefined, others: [found, undefined] },
    ],
  ];
  for (const [name, fields, answer] of cases) {
    it(`is read for ${name}`, () => {
      assert.deepEqual(txnMethod.decode(message(...fields)), { others: [], ...answer });
    });
  }
});

it('a compaction waits until the data is gone', () => {
  assert.deepEqual(compactMethod.encode(300), message(field(1, 300), field(2, 1)));
  assert.equal(compactMethod.decode(header(9)), true);
});
