import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceWarnings } from './service-warnings.js';

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
