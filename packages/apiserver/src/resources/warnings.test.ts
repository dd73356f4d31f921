import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceWarnings } from './service-warnings.js';
import { claimWarnings, volumeWarnings } from './volume-warnings.js';

test('services', () => {
  assert.deepEqual(
    serviceWarnings({ spec: { type: 'ClusterIP', clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] } }),
    [],
  );
  const headless = { type: 'ClusterIP', clusterIP: 'None', clusterIPs: ['None'], sessionAffinity: 'ClientIP' };
  assert.deepEqual(serviceWarnings({ spec: { ...headless, externalIPs: ['1.2.3.4'], externalName: 'a.b' } }), [
    'spec.externalIPs is ignored for headless services',
    'spec.SessionAffinity is ignored for headless services',
    'spec.externalName is ignored when spec.type is not "ExternalName"',
  ]);
  assert.deepEqual(serviceWarnings({ spec: { externalIPs: ['01.2.3.4'], trafficDistribution: 'PreferClose' } }), [
    'spec.externalIPs[0]: non-standard IP address "01.2.3.4" is invalid: use "1.2.3.4"',
    'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
  ]);
});

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
