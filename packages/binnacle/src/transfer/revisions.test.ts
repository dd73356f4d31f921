import assert from 'node:assert/strict';
import { it } from 'node:test';
import { itemOf } from './item.js';
import { withRevisions } from './revisions.js';

const item = (name: string, resourceVersion?: string) =>
  itemOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...(resourceVersion && { resourceVersion }) } });
const revisionsOf = (items: readonly ReturnType<typeof item>[]) => {
  const { items: ordered, revision } = withRevisions(items);
  return [...ordered.map(({ item: { name }, revision: own }) => [name, own]), revision];
};

it('items keep their revisions, in ascending order', () => {
  assert.deepEqual(revisionsOf([item('a', '70'), item('b', '9'), item('c', '100')]), [
    ['b', 9],
    ['a', 70],
    ['c', 100],
    100,
  ]);
  assert.deepEqual(revisionsOf([]), [1]);
});

it('items are numbered when one has no revision of its own', () => {
  const numbered = [['a', 2], ['b', 3], 3];
  assert.deepEqual(revisionsOf([item('a', '70'), item('b')]), numbered);
  assert.deepEqual(revisionsOf([item('a', '70'), item('b', '70')]), numbered);
  assert.deepEqual(revisionsOf([item('a', '70'), item('b', '1')]), numbered);
  assert.deepEqual(revisionsOf([item('a', '70'), item('b', 'none')]), numbered);
});
