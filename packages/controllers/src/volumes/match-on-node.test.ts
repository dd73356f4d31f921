import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node, PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { candidatesOf, matchOnNode } from './index.js';

type VolumeSpec = NonNullable<PersistentVolume['spec']>;
type ClaimSpec = NonNullable<PersistentVolumeClaim['spec']>;

const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', labels: { zone: 'z1' } } };

const volume = (
  name: string,
  spec: VolumeSpec = {},
  phase: 'Available' | 'Released' = 'Available',
): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name, labels: { name } },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'slow', ...spec },
  status: { phase },
});

const claim = (spec: ClaimSpec = {}): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { namespace: 'default', name: 'c', uid: 'u' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'slow',
    ...spec,
  },
});

const inZone = (zone: string): VolumeSpec => ({
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }] },
  },
});
const named = (name: string): VolumeSpec => ({
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }] },
  },
});
const ofClaim: VolumeSpec = { claimRef: { namespace: 'default', name: 'c', uid: 'u' } };
const large: VolumeSpec = { capacity: { storage: '9Gi' } };

describe('matchOnNode', () => {
  for (const [what, given, volumes, expected] of [
    ['the smallest', claim(), [volume('a', large), volume('b')], 'b'],
    ['the first of equal ones', claim(), [volume('b'), volume('a')], 'a'],
    [
      'one that reaches the node',
      claim(),
      [volume('a', inZone('z2')), volume('b', { ...large, ...inZone('z1') })],
      'b',
    ],
    ['none by the name of the node', claim(), [volume('a', named('n'))], undefined],
    ['the bound one', claim(), [volume('a'), volume('b', { ...large, ...ofClaim }, 'Released')], 'b'],
    [
      'none if the bound one does not reach',
      claim(),
      [volume('a'), volume('b', { ...ofClaim, ...inZone('z2') })],
      undefined,
    ],
    ['none of others', claim(), [volume('a', { claimRef: { namespace: 'default', name: 'd' } })], undefined],
    ['none that is too small', claim({ resources: { requests: { storage: '2Gi' } } }), [volume('a')], undefined],
    ['none of another class', claim({ storageClassName: 'fast' }), [volume('a')], undefined],
    ['none in another mode', claim({ volumeMode: 'Block' }), [volume('a')], undefined],
    ['none with other access', claim({ accessModes: ['ReadWriteMany'] }), [volume('a')], undefined],
    ['none with other attributes', claim({ volumeAttributesClassName: 'gold' }), [volume('a')], undefined],
    ['none that is not available', claim(), [volume('a', {}, 'Released')], undefined],
    ['the selected', claim({ selector: { matchLabels: { name: 'b' } } }), [volume('a'), volume('b')], 'b'],
  ] as const) {
    it(`finds ${what}`, () =>
      assert.equal(matchOnNode(candidatesOf(given, volumes), node, new Set())?.metadata.name, expected));
  }

  it('leaves volumes that other claims of the pod have', () => {
    const volumes = [volume('a'), volume('b')] as const;
    assert.equal(matchOnNode(candidatesOf(claim(), volumes), node, new Set([volumes[0]]))?.metadata.name, 'b');
  });
});
