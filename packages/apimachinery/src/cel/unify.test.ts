import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkExpression, KUBERNETES_LIBRARY, parseExpression } from './index.js';
import { DYN, INT, listOf, parameter, STRING } from './types.js';
import { assign, Substitutions, substitute } from './unify.js';

describe('assign', () => {
  const [a, b] = [parameter('a'), parameter('b')];

  it('binds type parameters', () => {
    const known = new Substitutions();
    assert.equal(assign(known, [listOf(a), b], [listOf(INT), a]), true);
    assert.deepEqual(substitute(known, listOf(b)), listOf(INT));
  });

  it('changes nothing when it fails', () => {
    const known = new Substitutions();
    assert.equal(assign(known, [a], [INT]), true);
    assert.equal(assign(known, [b, a], [STRING, STRING]), false);
    assert.deepEqual([known.get('a'), known.get('b')], [INT, undefined]);
    assert.equal(assign(known, [a, b, a], [DYN, STRING, STRING]), true);
    assert.deepEqual([known.get('a'), known.get('b')], [DYN, STRING]);
  });
});

it('a check binds its type parameters in linear time', (context) => {
  const environment = { variables: new Map([['x', INT]]), ...KUBERNETES_LIBRARY };
  const bindings = (count: number): number => {
    const source = Array.from({ length: count }, (_, index) => `x == ${index}`).join(' || ');
    const root = parseExpression(source);
    const set = context.mock.method(Map.prototype, 'set');
    checkExpression(source, root, environment);
    const calls = set.mock.callCount();
    set.mock.restore();
    return calls;
  };
  const [some, more] = [bindings(100), bindings(400)];
  assert.ok(more < 5 * some, `${some}, then ${more} entries of maps`);
});
