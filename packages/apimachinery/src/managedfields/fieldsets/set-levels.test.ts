import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { emptyFieldSet, FieldSet } from './field-set.js';
import type { PathElement } from './path-element.js';
import { emptyLevel, sharedSet } from './set-levels.js';

const leaf = emptyFieldSet.node(true);

const setOf = (elements: readonly PathElement[], node = leaf) =>
  elements.reduce((level, element) => level.and(element, node), emptyLevel()).set();

const plainSetOf = (elements: readonly PathElement[]) => FieldSet.of(...elements.map((element) => [element]));

const manyElements = (count: number) => Array.from({ length: count }, (_, index) => `f:${index}`);

describe('levels of sets', () => {
  it('have the nodes that were added', () => {
    const elements = fc.array(fc.constantFrom('f:a', 'f:b', 'f:c', 'f:__proto__', 'v:1'), { maxLength: 6 });
    fc.assert(fc.property(elements, (names) => assert.ok(setOf(names).equals(plainSetOf(names)))));
    assert.equal(setOf([]), emptyFieldSet);
  });

  it('are the same set for the same nodes in the same order', () => {
    const below = setOf(['f:x', 'f:y']);
    assert.equal(setOf(['f:x', 'f:y']), below);
    for (const node of [leaf, below.node(true), below.node(false)]) {
      assert.equal(setOf(['f:a', 'f:b'], node), setOf(['f:a', 'f:b'], node));
      assert.equal(setOf(['f:a', 'f:b'], node).below('f:b'), node.children);
      assert.equal(setOf(['f:a', 'f:b'], node).hasMember('f:b'), node.member);
    }
    assert.notEqual(setOf(['f:a', 'f:b'], below.node(true)), setOf(['f:a', 'f:b'], below.node(false)));
    const other = setOf(['f:b', 'f:a']);
    assert.notEqual(other, setOf(['f:a', 'f:b']));
    assert.ok(other.equals(setOf(['f:a', 'f:b'])));
  });

  it('unite the nodes of an element that is added again', () => {
    const level = emptyLevel()
      .and('f:a', setOf(['f:x']).node(false))
      .and('f:a', setOf(['f:y']).node(true));
    const expected = FieldSet.of(['f:a'], ['f:a', 'f:x'], ['f:a', 'f:y']);
    assert.ok(level.set().equals(expected));
  });

  it('share a set that was built otherwise', () => {
    const built = FieldSet.of(['f:a', 'f:x'], ['f:b']);
    assert.ok(sharedSet(built).equals(built));
    assert.equal(sharedSet(built), sharedSet(FieldSet.of(['f:a', 'f:x'], ['f:b'])));
    assert.equal(sharedSet(sharedSet(built)), sharedSet(built));
    assert.equal(built.isShared, false);
  });

  it('are not shared if they are large, have a long element, or have a part that is not shared', () => {
    for (const elements of [manyElements(1000), ['f:a', `f:${'x'.repeat(1000)}`, 'f:b']]) {
      const set = setOf(elements);
      assert.notEqual(set, setOf(elements));
      assert.ok(set.equals(plainSetOf(elements)));
      const above = setOf(['f:above'], set.node(false));
      assert.deepEqual([set.isShared, above.isShared], [false, false]);
      assert.notEqual(above, setOf(['f:above'], set.node(false)));
    }
  });

  it('are forgotten when there are many others', () => {
    const first = setOf(['f:forgotten']);
    assert.equal(setOf(['f:forgotten']), first);
    for (const element of manyElements(50_001)) setOf([element]);
    assert.notEqual(setOf(['f:forgotten']), first);
  });
});
