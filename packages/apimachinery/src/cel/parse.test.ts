import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IN } from './operators.js';
import { parseExpression } from './parse.js';

describe('parseExpression', () => {
  it('tells the text "in" from the operator', () => {
    const text = parseExpression('"in"');
    assert.deepEqual(text, { kind: 'literal', position: 0, value: { type: 'string', value: 'in' } });
    const call = parseExpression('"in" in ["in"]');
    assert.ok(call.kind === 'call');
    assert.equal(call.name, IN);
    assert.deepEqual(call.arguments[0], text);
  });

  it('tells the texts of other operators and keywords from these', () => {
    for (const word of ['+', '==', '?', '(', 'true', 'null', 'if']) {
      const parsed = parseExpression(`'${word}'`);
      assert.deepEqual(parsed, { kind: 'literal', position: 0, value: { type: 'string', value: word } });
    }
  });

  it('refuses the operator without operands', () => {
    for (const source of ['in', 'a in', 'in a']) assert.throws(() => parseExpression(source), /Syntax error/, source);
  });
});
