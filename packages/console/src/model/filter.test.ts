import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matcher } from './index.js';
import { added, KINDS, row } from './rows.testing.js';

const all = { namespace: '', text: '', noise: true };

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
