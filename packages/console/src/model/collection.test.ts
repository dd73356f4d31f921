import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collectionOf, KINDS, row } from './rows.testing.js';

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

  it('knows the faults of its last stream alone', () => {
    const collection = collectionOf();
    collection.apply({ faults: [[0, 'forbidden']] });
    collection.apply({ kinds: KINDS });
    assert.deepEqual([...collection.faults], []);
  });
});
