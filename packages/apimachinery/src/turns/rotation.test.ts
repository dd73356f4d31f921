import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Rotation } from './rotation.js';

describe('Rotation', () => {
  it('takes a piece of each owner in turn, and those of one owner in order', () => {
    const rotation = new Rotation();
    const order: string[] = [];
    const owners = { a: {}, b: {}, c: {} };
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) {
      const owner = name.startsWith('a') ? owners.a : name.startsWith('b') ? owners.b : owners.c;
      rotation.push(owner, () => order.push(name));
    }
    rotation.shift()?.();
    rotation.push(owners.c, () => order.push('c2'));
    while (!rotation.isEmpty) rotation.shift()?.();
    assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3']);
    assert.equal(rotation.shift(), undefined);
  });
});
