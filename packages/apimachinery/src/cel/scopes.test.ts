import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Scopes } from './scopes.js';
import { BOOL, INT, STRING, typeOf, UINT } from './types.js';

const environment = {
  variables: new Map([
    ['x', STRING],
    ['a.b', BOOL],
  ]),
  types: new Map([['int', INT]]),
};

describe('Scopes', () => {
  for (const [what, name, expected] of [
    ['a variable of the environment', 'x', { type: STRING, name: 'x' }],
    ['a dotted name', 'a.b', { type: BOOL, name: 'a.b' }],
    ['a type, which is a value too', 'int', { type: typeOf(INT), name: 'int' }],
    ['an unknown name', 'y', undefined],
    ['a leading dot, with nothing to skip', '.x', { type: STRING, name: 'x' }],
  ] as const) {
    it(`finds ${what}`, () => assert.deepEqual(new Scopes(environment).find(name), expected));
  }

  it('finds the innermost variable of comprehensions, until each of them ends', () => {
    const scopes = new Scopes(environment);
    const seen = scopes.within(new Map([['x', INT]]), () => {
      const inner = scopes.within(new Map([['x', UINT]]), () => scopes.find('x'));
      return [inner, scopes.find('x')];
    });
    assert.deepEqual(seen, [
      { type: UINT, name: 'x' },
      { type: INT, name: 'x' },
    ]);
    assert.deepEqual(scopes.find('x'), { type: STRING, name: 'x' });
  });

  it('keeps the leading dot only for a name that a comprehension hides', () => {
    const scopes = new Scopes(environment);
    scopes.within(new Map([['x', INT]]), () => {
      assert.deepEqual(scopes.find('.x'), { type: STRING, name: '.x' });
      assert.deepEqual(scopes.find('.a.b'), { type: BOOL, name: 'a.b' });
      assert.equal(scopes.isLocal('x'), true);
    });
    assert.equal(scopes.isLocal('x'), false);
  });
});
