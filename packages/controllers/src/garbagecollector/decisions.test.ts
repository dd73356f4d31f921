import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectMeta, OwnerReference } from '@binnacle/client/typed';
import { emptyNode, link } from './node.js';
import { judge, type Owners, type Verdict } from './verdict.js';

const reference = (name: string, blockOwnerDeletion?: boolean): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name,
  uid: name,
  ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
});
const [s, a, w, o] = [reference('s'), reference('a'), reference('w', true), reference('o')];
const none: Owners = { solid: [], absent: [], waiting: [], orphaning: [] };
const deleting = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const keep: Verdict = { type: 'keep' };
const detach = (...from: OwnerReference[]): Verdict => ({ type: 'detach', from });
const remove = (propagation: 'Orphan' | 'Foreground' | 'Background'): Verdict => ({ type: 'delete', propagation });

/** With dependents, or with one that is waiting for its own. */
function node(dependents: 'none' | 'some' | 'waiting') {
  const own = emptyNode('own');
  const dependent = {
    ...emptyNode('dependent'),
    waitsFor: dependents === 'waiting' ? ('dependents' as const) : undefined,
  };
  if (dependents !== 'none') link(own, dependent);
  return own;
}

describe('what becomes of an object', () => {
  const rows: readonly (readonly [
    string,
    Partial<Owners>,
    ObjectMeta,
    Parameters<typeof node>[0],
    Verdict | undefined,
  ])[] = [
    ['without owners', {}, {}, 'none', keep],
    ['owners are there', { solid: [s] }, {}, 'none', keep],
    ['one is there, one is not', { solid: [s], absent: [a] }, {}, 'none', detach(a)],
    ['one is there, one waits', { solid: [s], waiting: [w] }, {}, 'some', detach(w)],
    ['one is let go of', { orphaning: [o] }, {}, 'none', detach(o)],
    [
      'one is let go of, one is gone, one waits',
      { orphaning: [o], absent: [a], waiting: [w] },
      {},
      'none',
      detach(a, w, o),
    ],
    ['none is left', { absent: [a] }, {}, 'none', remove('Background')],
    ['none is left, and it owns something', { absent: [a] }, {}, 'some', remove('Background')],
    ['none is left, and its own are to stay', { absent: [a] }, { finalizers: ['orphan'] }, 'some', remove('Orphan')],
    [
      'none is left, and its own go first',
      { absent: [a] },
      { finalizers: ['foregroundDeletion'] },
      'some',
      remove('Foreground'),
    ],
    ['one waits', { waiting: [w] }, {}, 'none', remove('Background')],
    ['one waits, and it owns something', { waiting: [w], absent: [a] }, {}, 'some', remove('Foreground')],
    ['it is being deleted already', { absent: [a] }, deleting, 'none', keep],
    ['it is being deleted already, and is let go of', { absent: [a], orphaning: [o] }, deleting, 'none', detach(o)],
  ];
  for (const [situation, owners, latest, dependents, expected] of rows) {
    it(situation, () => {
      assert.deepEqual(judge(latest, { ...none, ...owners }, node(dependents)), expected);
    });
  }
});
