import assert from 'node:assert/strict';
import { it } from 'node:test';
import { starters, startsExpression } from './expected-tokens.js';
import { tokenize } from './tokens.js';

it('says by which tokens an expression begins', () => {
  for (const [source, begins] of [
    ['a', true],
    ['"a"', true],
    ['-1', true],
    ['[', true],
    ['.a', true],
    ['in', false],
    ['"in"', true],
    [')', false],
    ['+', false],
    ['', false],
  ] as const) {
    const [token] = tokenize(source).tokens;
    assert.ok(token);
    assert.equal(startsExpression(token), begins, source);
  }
});

it('lists the end of a list, map or call where one may be empty', () => {
  for (const [end, list] of [
    ['', "{'[', '{', '(', '.', '-', '!', "],
    [']', "{'[', ']', '{', '(', '.', ',', '-', '!', '?', "],
    ['}', "{'[', '{', '}', '(', '.', ',', '-', '!', '?', "],
    [')', "{'[', '{', '(', ')', '.', '-', '!', "],
  ] as const) {
    assert.equal(starters(end).split("'true'")[0], list);
  }
});
