import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { treeLines } from './index.js';
import { collectionOf, row } from './rows.testing.js';

describe('the tree of owners', () => {
  const collection = collectionOf(
    row('Deployment', 'web', { text: '1/2 ready', health: 'busy' }),
    row('ReplicaSet', 'web-old', { owner: 'web', health: 'done', created: 1 }),
    row('ReplicaSet', 'web-new', { owner: 'web', created: 2 }),
    row('Pod', 'web-new-1', { owner: 'web-new', created: 3 }),
    row('Pod', 'web-new-2', { owner: 'web-new', health: 'bad', created: 4 }),
    row('Pod', 'alone', { namespace: 'billing' }),
    row('Pod', 'orphan', { owner: 'not-here' }),
    row('Node', 'n', { namespace: '' }),
  );
  const text = (isOpen: (name: string) => boolean, matches = (_: string) => true) =>
    treeLines(collection, { matches: ({ name }) => matches(name), isOpen: ({ name }) => isOpen(name) }).map(
      ({ row: { name }, level, isOpen: open, pods, podCount }) =>
        `${'  '.repeat(level)}${open ? '-' : ' '}${name} ${podCount} ${pods.join(' ')}`,
    );

  it('has the roots, sorted, with the pods below them', () => {
    assert.deepEqual(
      text(() => false),
      [' alone 1 good', ' web 2 bad good', ' orphan 1 good'],
    );
  });

  it('opens lines, with live ReplicaSets first', () => {
    assert.deepEqual(
      text(() => true),
      [
        ' alone 1 good',
        '-web 2 bad good',
        '  -web-new 2 bad good',
        '     web-new-2 1 bad',
        '     web-new-1 1 good',
        '   web-old 0 ',
        ' orphan 1 good',
      ],
    );
  });

  it('shows a root when an object below it matches', () => {
    assert.deepEqual(
      text(
        () => false,
        (name) => name === 'web-new-2',
      ),
      [' web 2 bad good'],
    );
    assert.deepEqual(
      text(
        () => false,
        (name) => name === 'nothing',
      ),
      [],
    );
  });

  it('begins at what owns a workload, whatever its kind', () => {
    const owned = collectionOf(
      row('Node', 'n', { namespace: '' }),
      row('Lease', 'unrelated', { owner: 'n' }),
      row('Pod', 'mirror', { owner: 'n' }),
      row('Lease', 'operator', { owner: 'n2' }),
      row('Node', 'n2', { namespace: '' }),
      row('Deployment', 'operated', { owner: 'operator' }),
      row('Pod', 'below', { owner: 'operated' }),
      row('Lease', 'other'),
    );
    assert.deepEqual(
      treeLines(owned, { matches: () => true, isOpen: () => true }).map(
        ({ row: { name }, level }) => '  '.repeat(level) + name,
      ),
      ['n', '  mirror', '  unrelated', 'n2', '  operator', '    operated', '      below'],
    );
  });

  it('leaves out objects that own each other', () => {
    const circle = collectionOf(
      row('ReplicaSet', 'a', { owner: 'b' }),
      row('ReplicaSet', 'b', { owner: 'a' }),
      row('Deployment', 'd', { owner: 'd' }),
    );
    assert.deepEqual(treeLines(circle, { matches: () => true, isOpen: () => true }), []);
  });
});
