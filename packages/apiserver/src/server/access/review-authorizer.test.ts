import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openMemoryKV } from '@binnacle/kv/memory';
import type { AuthorizationAttributes } from '../../authorization/index.js';
import { defaultKubelets } from '../kubelet-options.js';
import { reviewAuthorizer } from './review-authorizer.js';
import { testResourceApi } from '../server.testing.js';

it('the user of the certificate for kubelets has rights in reviews, and none in requests', async () => {
  await using kv = openMemoryKV();
  const kubelets = { ...defaultKubelets, userName: 'kubelet-client' };
  const api = testResourceApi(kv, { kubelets });
  const proxied: AuthorizationAttributes = {
    user: { name: 'kubelet-client', uid: '', groups: [], extra: {} },
    verb: 'create',
    isResourceRequest: true,
    namespace: '',
    group: '',
    version: 'v1',
    resource: 'nodes',
    subresource: 'proxy',
    name: 'n',
    path: '',
  };
  try {
    const { authorizer } = api;
    assert.equal((await reviewAuthorizer(kubelets, authorizer).authorize(proxied)).allowed, true);
    assert.equal((await authorizer.authorize(proxied)).allowed, false);
    assert.equal((await reviewAuthorizer(defaultKubelets, authorizer).authorize(proxied)).allowed, false);
  } finally {
    api.stop();
  }
});
