import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Rotation } from './rotation.js';

describe('Rotation', () => {
  const take = (rotation: Rotation): void => rotation.shift()?.resume();

  it('takes a piece of each client in turn, and those of one caller in order', () => {
    const rotation = new Rotation();
    const order: string[] = [];
    const callers = { a: { client: 'a' }, b: { client: 'b' }, c: { client: 'c' } };
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) {
      const caller = name.startsWith('a') ? callers.a : name.startsWith('b') ? callers.b : callers.c;
      rotation.push(caller, () => order.push(name));
    }
    take(rotation);
    assert.equal(rotation.next, callers.b);
    rotation.push(callers.c, () => order.push('c2'));
    while (!rotation.isEmpty) take(rotation);
    assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3']);
    assert.deepEqual([rotation.next, rotation.shift()], [undefined, undefined]);
  });

  it('counts all callers of a client as one', () => {
    const rotation = new Rotation();
    const order: string[] = [];
    const flood = [1, 2, 3].map((number) => ({ client: 'flood', number }));
    for (const caller of [...flood, ...flood]) rotation.push(caller, () => order.push(`flood ${caller.number}`));
    rotation.push({ client: 'other' }, () => order.push('other'));
    while (!rotation.isEmpty) take(rotation);
    assert.deepEqual(order, ['flood 1', 'other', 'flood 2', 'flood 3', 'flood 1', 'flood 2', 'flood 3']);
  });

  it('keeps the work of a caller together when its client becomes known', () => {
    const rotation = new Rotation();
    const order: number[] = [];
    const caller: { client: string | undefined } = { client: undefined };
    rotation.push(caller, () => order.push(1));
    caller.client = 'known';
    rotation.push(caller, () => order.push(2));
    take(rotation);
    assert.equal(rotation.has(caller), true);
    take(rotation);
    assert.deepEqual([order, rotation.has(caller), rotation.isEmpty], [[1, 2], false, true]);
  });
});
