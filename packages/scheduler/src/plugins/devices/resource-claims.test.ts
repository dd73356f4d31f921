import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import { podFacts } from '../../testing/index.js';
import { resourceClaimsOf } from './resource-claims.js';

const claim = (name: string, metadata: ResourceClaim['metadata'] = {}): ResourceClaim => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { namespace: 'default', name, ...metadata },
  spec: {},
});
const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid, controller: true });
const present = [
  claim('shared'),
  claim('going', { deletionTimestamp: '2027-01-04T00:00:00Z' }),
  claim('own', { ownerReferences: [owner('default/p')] }),
  claim('foreign', { ownerReferences: [owner('other')] }),
];
const named = (resourceClaimName: string) => ({ name: 'g', resourceClaimName });
const generated = { name: 'g', resourceClaimTemplateName: 't' };
const status = (resourceClaimName?: string): Pod['status'] => ({
  resourceClaimStatuses: [{ name: 'g', ...(resourceClaimName !== undefined && { resourceClaimName }) }],
});

describe('the resource claims of a pod', () => {
  for (const [what, entry, made, expected] of [
    ['a claim by its name', named('shared'), undefined, 'shared'],
    ['a claim that does not exist', named('none'), undefined, 'could not find ResourceClaim "default/none"'],
    ['a claim that is being deleted', named('going'), undefined, 'resourceclaim "going" is being deleted'],
    ['a claim that is not made yet', generated, undefined, 'pod "default/p": ResourceClaim not created yet'],
    ['a claim that is not needed', generated, status(), ''],
    ['a claim made for the pod', generated, status('own'), 'own'],
    [
      'a claim made for another pod',
      generated,
      status('foreign'),
      'ResourceClaim default/foreign was not created for Pod default/p (Pod is not owner)',
    ],
  ] as const) {
    it(what, () => {
      const pod = podFacts('p', { spec: { resourceClaims: [entry] }, ...(made && { status: made }) });
      const found = resourceClaimsOf(pod, (namespace, name) =>
        present.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
      );
      assert.equal(typeof found === 'string' ? found : found.map(({ metadata }) => metadata.name).join(), expected);
    });
  }
});
