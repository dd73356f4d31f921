import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuthorTable, type NewAuthors } from './authors.js';

test('an author keeps the number under which it was stored, and numbers are not used twice', () => {
  const table = new AuthorTable([[7, 'ann']]);
  const added: NewAuthors = new Map();
  assert.deepEqual(
    ['ann', 'bob', 'cid', 'bob'].map((name) => table.numberOf(name, added)),
    [7, 8, 9, 8],
  );
  assert.equal(table.nameOf(8), undefined, 'the commit may still fail');
  table.learn(new Map([['bob', 8]]));
  assert.deepEqual([table.nameOf(8), table.nameOf(7)], ['bob', 'ann']);
  assert.equal(table.numberOf('cid', new Map()), 10);
});

test('a full table gives no more numbers', () => {
  const table = new AuthorTable(Array.from({ length: 16_384 }, (_, index) => [index + 1, `author ${index}`] as const));
  assert.equal(table.numberOf('author 3', new Map()), 4);
  assert.equal(table.numberOf('one more', new Map()), 0);
});
