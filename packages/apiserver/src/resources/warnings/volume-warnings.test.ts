import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimWarnings, volumeWarnings } from './volume-warnings.js';

test('volumes and claims', () => {
  const annotations = { 'volume.beta.kubernetes.io/storage-class': 'c' };
  const said =
    'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead';
  const rbd = { monitors: ['m'], image: 'i' };
  assert.deepEqual(volumeWarnings({ metadata: { annotations }, spec: { rbd } }), [
    said,
    'spec.rbd: deprecated in v1.28, non-functional in v1.31+',
  ]);
  const resources = { requests: { storage: '1500m' }, limits: { storage: '2Gi' } };
  assert.deepEqual(claimWarnings({ metadata: { annotations }, spec: { resources } }), [
    said,
    'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
  ]);
});
