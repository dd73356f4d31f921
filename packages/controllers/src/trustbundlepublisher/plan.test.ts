import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planTrustBundles, SIGNER } from './plan.js';

const name = 'kubernetes.io:kube-apiserver-serving:8f76fd501bb68ef71f4e276b';
const bundle = (named: string, trustBundle: string) => ({
  apiVersion: 'certificates.k8s.io/v1beta1' as const,
  kind: 'ClusterTrustBundle' as const,
  metadata: { name: named },
  spec: { signerName: SIGNER, trustBundle },
});

describe('the plan for trust bundles', () => {
  for (const [what, present, expected] of [
    ['none yet', [], { create: bundle(name, 'authority'), remove: [] }],
    ['the current one', [bundle(name, 'authority')], { remove: [] }],
    ['an altered one', [bundle(name, 'other')], { update: bundle(name, 'authority'), remove: [] }],
    [
      'that of a former authority',
      [bundle('kubernetes.io:kube-apiserver-serving:old', 'former'), bundle(name, 'authority')],
      { remove: [bundle('kubernetes.io:kube-apiserver-serving:old', 'former')] },
    ],
  ] as const) {
    it(what, () => assert.deepEqual(planTrustBundles(present, 'authority'), expected));
  }
});
