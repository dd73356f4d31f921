import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectMeta, TypedObject } from '../typed/index.js';
import {
  allOf,
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  not,
  type ObjectChange,
  type Predicate,
} from './index.js';

const object = (metadata: ObjectMeta): TypedObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
const update = (before: ObjectMeta, after: ObjectMeta): ObjectChange<TypedObject> => ({
  type: 'update',
  before: object(before),
  object: object(after),
});
const others: readonly (readonly [ObjectChange<TypedObject>, boolean])[] = [
  [{ type: 'create', object: object({}), isInInitialList: false }, true],
  [{ type: 'delete', object: object({}), finalStateUnknown: true }, true],
  [{ type: 'resync', object: object({}) }, false],
];

describe('predicates', () => {
  const cases: readonly (readonly [string, Predicate, ObjectMeta, ObjectMeta, boolean])[] = [
    ['generation', generationChanged, { generation: 1 }, { generation: 2 }, true],
    ['generation', generationChanged, { generation: 1, labels: { a: '1' } }, { generation: 1 }, false],
    ['labels', labelsChanged, { labels: { a: '1' } }, { labels: { a: '2' } }, true],
    ['labels', labelsChanged, { labels: { a: '1' } }, { labels: { b: '1' } }, true],
    ['labels', labelsChanged, { labels: { a: '1' } }, { labels: { a: '1', b: '1' } }, true],
    ['labels', labelsChanged, { labels: { a: '1' } }, {}, true],
    ['labels', labelsChanged, { labels: { a: '1', b: '2' } }, { labels: { b: '2', a: '1' } }, false],
    ['labels', labelsChanged, {}, { labels: {}, generation: 3 }, false],
    ['annotations', annotationsChanged, { annotations: { a: '1' } }, { annotations: { a: '' } }, true],
    ['annotations', annotationsChanged, { labels: { a: '1' } }, {}, false],
  ];
  for (const [name, predicate, before, after, expected] of cases) {
    it(`${name}: from ${JSON.stringify(before)} to ${JSON.stringify(after)} is ${expected}`, () => {
      assert.equal(predicate(update(before, after)), expected);
      for (const [change, passes] of others) assert.equal(predicate(change), passes, change.type);
    });
  }

  it('combine with allOf, anyOf and not', () => {
    const change = update({ generation: 1, labels: { a: '1' } }, { generation: 1 });
    assert.equal(anyOf(generationChanged, labelsChanged)(change), true);
    assert.equal(allOf(generationChanged, labelsChanged)(change), false);
    assert.equal(not(generationChanged)(change), true);
    assert.equal(allOf(not(generationChanged), labelsChanged)(change), true);
    assert.equal(anyOf()(change), false);
    assert.equal(allOf()(change), true);
  });
});
