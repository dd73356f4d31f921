import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { searchRows } from './index.js';
import { collectionOf, row } from './rows.testing.js';

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
