import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareCollections, matcher, searchRows, treeLines } from './index.js';
import { added, collectionOf, KINDS, row } from './rows.testing.js';

const all = { namespace: '', text: '', noise: true };

describe('a collection', () => {
  it('keeps rows by kind and by owner', () => {
    const collection = collectionOf(
      row('Pod', 'a', { owner: 'set' }),
      row('Pod', 'b', { owner: 'set' }),
      row('Node', 'n'),
    );
    assert.equal(collection.size, 3);
    assert.equal(collection.kindIndex('Deployment', 'apps'), 2);
    assert.equal(collection.kindIndex('Deployment'), -1);
    assert.deepEqual([...collection.ofKind(0).keys()], ['a', 'b']);
    assert.deepEqual([...collection.childrenOf('set')], ['a', 'b']);
    collection.apply({ rows: [row('Pod', 'a', { owner: 'other' })], gone: ['b', 'unknown'] });
    assert.deepEqual([...collection.childrenOf('set')], []);
    assert.deepEqual([...collection.childrenOf('other')], ['a']);
    assert.deepEqual([...collection.ofKind(0).keys()], ['a']);
    assert.equal(collection.get('b'), undefined);
  });

  it('knows what it lacks', () => {
    const collection = collectionOf();
    assert.equal(collection.complete, undefined);
    collection.apply({ faults: [[0, 'forbidden']] });
    assert.deepEqual([...collection.faults], [[0, 'forbidden']]);
    const { version } = collection;
    collection.apply({ faults: [[0, '']], complete: '7' });
    assert.deepEqual([...collection.faults], []);
    assert.equal(collection.complete, '7');
    assert.ok(collection.version > version);
  });
});

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

  it('ends at objects that own each other', () => {
    const circle = collectionOf(
      row('ReplicaSet', 'a', { owner: 'b' }),
      row('ReplicaSet', 'b', { owner: 'a' }),
      row('Deployment', 'd', { owner: 'd' }),
    );
    assert.deepEqual(treeLines(circle, { matches: () => true, isOpen: () => true }), []);
  });
});

describe('filters', () => {
  const shows = (filter: Partial<typeof all>, item = row('Deployment', 'web', { text: '1/2 ready', by: 'kubectl' })) =>
    matcher({ ...all, ...filter }, KINDS)(item);

  it('take words of the kind, the name, the state and the author', () => {
    for (const text of ['', 'web', 'DEPLOY web', 'shop/web', '1/2', 'kubectl deployments'])
      assert.ok(shows({ text }), text);
    for (const text of ['cart', 'web pod', 'billing']) assert.ok(!shows({ text }), text);
  });

  it('take a namespace, and leave out noise', () => {
    assert.ok(shows({ namespace: 'shop' }));
    assert.ok(!shows({ namespace: 'billing' }));
    assert.ok(!shows({ noise: false }, row('Lease', 'node-1')));
    assert.ok(matcher({ ...all, noise: false }, KINDS)(added(row('Pod', 'a'), 1)));
  });
});

describe('the search', () => {
  const collection = collectionOf(
    row('Deployment', 'web'),
    row('Pod', 'web-7f-a'),
    row('Pod', 'cart-web'),
    row('Node', 'worker-eight-b', { namespace: '' }),
  );
  const found = (query: string, most = 9) => searchRows(collection, query, most).map(({ name }) => name);

  it('finds the best first', () => {
    assert.deepEqual(found('web'), ['web', 'cart-web', 'web-7f-a', 'worker-eight-b']);
    assert.deepEqual(found('deploy web'), ['web']);
    assert.deepEqual(found('pod shop/cart'), ['cart-web']);
    assert.deepEqual(found('web', 1), ['web']);
    assert.deepEqual(found('nothing'), []);
    assert.deepEqual(found('  '), []);
  });
});

describe('two states', () => {
  it('differ in the objects that were added, changed or deleted', () => {
    const before = collectionOf(row('Pod', 'same'), row('Pod', 'changed'), row('Pod', 'gone'));
    const after = collectionOf(row('Pod', 'same'), row('Pod', 'changed', { version: '2' }), row('Deployment', 'new'));
    const differences = compareCollections(before, after).map(({ type, before: was, after: is }) => [
      type,
      (is ?? was)?.name,
    ]);
    assert.deepEqual(differences, [
      ['changed', 'changed'],
      ['gone', 'gone'],
      ['added', 'new'],
    ]);
    assert.equal(compareCollections(before, after, ({ name }) => name === 'gone').length, 1);
  });
});
