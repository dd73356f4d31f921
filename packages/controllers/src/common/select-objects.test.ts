import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseLabelSelector } from '@binnacle/apimachinery/labels';
import { finish } from '@binnacle/apimachinery/work';
import { selectObjects } from './select-objects.js';

const objects = ['a', 'b', 'a'].map((app, index) => ({ metadata: { name: `p${index}`, labels: { app } } }));

it('selectObjects keeps the order of objects that match', () => {
  const matching = finish(selectObjects(objects, parseLabelSelector('app=a')));
  assert.deepEqual(
    matching.map(({ metadata }) => metadata.name),
    ['p0', 'p2'],
  );
});

it('selectObjects yields by the number of requirements', () => {
  const selector = parseLabelSelector(Array.from({ length: 60_000 }, (_, index) => `!k${index}`).join());
  const steps = selectObjects(objects, selector);
  assert.equal(steps.next().done, false);
  assert.equal(steps.next().done, true);
});
