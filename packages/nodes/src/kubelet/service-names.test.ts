import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fullNameOf, serviceNameOf } from './service-names.js';

for (const [name, full] of [
  ['web', 'web.shop.svc.cluster.local'],
  ['web.other', 'web.other.svc.cluster.local'],
  ['web.other.svc', 'web.other.svc.cluster.local'],
  ['Web.other.svc.cluster.local.', 'web.other.svc.cluster.local'],
  ['db-0.db.other.svc', 'db-0.db.other.svc.cluster.local'],
  ['a.b.c.d', undefined],
  ['', undefined],
  ['../x', undefined],
] as const) {
  it(`the name ${JSON.stringify(name)}`, () => {
    const found = serviceNameOf(name, 'shop');
    assert.equal(found && fullNameOf(found), full);
  });
}
