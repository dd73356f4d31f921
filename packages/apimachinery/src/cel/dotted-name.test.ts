import assert from 'node:assert/strict';
import { it } from 'node:test';
import { dottedName } from './dotted-name.js';
import { parseExpression } from './parse.js';

it('names identifiers and the fields that are selected of them, and nothing else', () => {
  for (const [source, name] of [
    ['a', 'a'],
    ['a.b.c', 'a.b.c'],
    ['.a.b', '.a.b'],
    ['a.f().b', undefined],
    ['a[0].b', undefined],
    ['has(a.b)', undefined],
    ['1', undefined],
  ] as const) {
    assert.equal(dottedName(parseExpression(source)), name, source);
  }
});
