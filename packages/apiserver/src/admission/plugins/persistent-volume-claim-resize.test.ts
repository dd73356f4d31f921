import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { persistentVolumeClaimResize } from './index.js';
import { object, validate } from './request.testing.js';

describe('PersistentVolumeClaimResize', () => {
  const claim = (storage: string, storageClassName = 'grows', phase = 'Bound') => ({
    ...object('PersistentVolumeClaim', { storageClassName, resources: { requests: { storage } } }),
    status: { phase },
  });
  const plugin = persistentVolumeClaimResize({
    storageClass: async (name) => ({ metadata: { name }, provisioner: 'p', allowVolumeExpansion: name === 'grows' }),
  });
  const resize = (to: ReturnType<typeof claim>, from: ReturnType<typeof claim>) =>
    validate(plugin, 'persistentvolumeclaims', to, { operation: 'UPDATE', oldObject: from });

  it('allows growth of a bound claim if its class allows it', async () => {
    await resize(claim('2Gi'), claim('1Gi'));
    await resize(claim('1Gi', 'fixed'), claim('1024Mi', 'fixed'));
    await assert.rejects(resize(claim('2Gi', 'fixed'), claim('1Gi', 'fixed')), {
      code: 403,
      message: /must support resize$/,
    });
    await assert.rejects(resize(claim('2Gi'), claim('1Gi', 'grows', 'Pending')), {
      message: 'persistentvolumeclaims "a" is forbidden: Only bound persistent volume claims can be expanded',
    });
  });
});
