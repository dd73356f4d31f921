import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectMeta, OwnerReference } from '@binnacle/client/typed';
import { emptyNode, link } from './node.js';
import { decide, type Decision, type Owners } from './decisions.js';

const reference = (name: string, blockOwnerDeletion?: boolean): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name,
  uid: name,
  ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
});
const [s, a, w, o] = [reference('s'), reference('a'), reference('w', true), reference('o')];
const none: Owners = { solid: [], absent: [], deletingDependents: [], orphaning: [] };
const deleting = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const keep: Decision = { type: 'keep' };
const detach = (...from: OwnerReference[]): Decision => ({ type: 'detach', from });
const remove = (propagation: 'Orphan' | 'Foreground' | 'Background'): Decision => ({ type: 'delete', propagation });

/** A node with or without a dependent. */
function node(dependents: 'none' | 'some') {
  const own = emptyNode('own');
  if (dependents === 'some') link(own, emptyNode('dependent'));
  return own;
}

describe('the decision about an object', () => {
  const rows: readonly (readonly [string, Partial<Owners>, ObjectMeta, Parameters<typeof node>[0], Decision])[] = [
    ['has no owners', {}, {}, 'none', keep],
    ['its owner exists', { solid: [s] }, {}, 'none', keep],
    ['one owner exists, one is absent', { solid: [s], absent: [a] }, {}, 'none', detach(a)],
    ['one owner exists, one is in foreground deletion', { solid: [s], deletingDependents: [w] }, {}, 'some', detach(w)],
    ['its owner is orphaning', { orphaning: [o] }, {}, 'none', detach(o)],
    [
      'one owner is orphaning, one absent, one in foreground deletion',
      { orphaning: [o], absent: [a], deletingDependents: [w] },
      {},
      'none',
      detach(a, w, o),
    ],
    ['its owner is absent', { absent: [a] }, {}, 'none', remove('Background')],
    ['its owner is absent, and it has dependents', { absent: [a] }, {}, 'some', remove('Background')],
    [
      'its owner is absent, and its own finalizer orphans',
      { absent: [a] },
      { finalizers: ['orphan'] },
      'some',
      remove('Orphan'),
    ],
    [
      'its owner is absent, and its own finalizer deletes in the foreground',
      { absent: [a] },
      { finalizers: ['foregroundDeletion'] },
      'some',
      remove('Foreground'),
    ],
    ['its owner is in foreground deletion', { deletingDependents: [w] }, {}, 'none', remove('Background')],
    [
      'its owner is in foreground deletion, and it has dependents',
      { deletingDependents: [w], absent: [a] },
      {},
      'some',
      remove('Foreground'),
    ],
    ['it is being deleted', { absent: [a] }, deleting, 'none', keep],
    ['it is being deleted, and an owner is orphaning', { absent: [a], orphaning: [o] }, deleting, 'none', detach(o)],
  ];
  for (const [situation, owners, latest, dependents, expected] of rows) {
    it(situation, () => {
      assert.deepEqual(decide(latest, { ...none, ...owners }, node(dependents)), expected);
    });
  }
});
