import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersistentVolume, Pod } from '@binnacle/api/types/core-v1';
import { isRelated, type NodeObjects, type RelatedKind } from './node-relations.js';

const pod = (name: string, nodeName: string, ...secrets: string[]): Pod => ({
  metadata: { namespace: 'a', name },
  spec: {
    containers: [],
    nodeName,
    serviceAccountName: `${name}-account`,
    volumes: [
      ...secrets.map((secretName) => ({ name: secretName, secret: { secretName } })),
      { name: 'data', persistentVolumeClaim: { claimName: `${name}-claim` } },
    ],
  },
});
const volume = (claim?: string): PersistentVolume => ({
  metadata: { name: 'v' },
  spec: {
    ...(claim === undefined ? {} : { claimRef: { namespace: 'a', name: claim } }),
    csi: { driver: 'd', volumeHandle: 'h', nodePublishSecretRef: { namespace: 'a', name: 'publish' } },
  },
});

/** The names of the nodes among `one`, `two` and `three` to which an object of namespace `a` is related. */
async function nodesOf(
  kind: RelatedKind,
  name: string,
  { pods = [], volumes = [] }: { readonly pods?: readonly Pod[]; readonly volumes?: readonly PersistentVolume[] },
): Promise<string> {
  const objects: NodeObjects = {
    podsOf: async (node, namespace) =>
      pods.filter(({ metadata, spec }) => metadata?.namespace === namespace && spec?.nodeName === node),
    pod: (_, wanted) => pods.find(({ metadata }) => metadata?.name === wanted),
    persistentVolumes: () => volumes,
    persistentVolume: (wanted) => volumes.find(({ metadata }) => metadata?.name === wanted),
    volumeAttachment: () => undefined,
    resourceSlice: () => undefined,
  };
  const found: string[] = [];
  for (const node of ['one', 'two', 'three']) {
    if (await isRelated(kind, { namespace: 'a', name }, node, objects)) found.push(node);
  }
  return found.join(' ');
}

// Upstream's tables are in `plugin/pkg/auth/authorizer/node/graph_test.go` and `node_authorizer_test.go`.
describe('isRelated', () => {
  const [first, second, third] = [
    pod('first', 'one', 'own', 'some', 'all'),
    pod('second', 'two', 'some', 'all'),
    pod('third', 'three', 'all'),
  ];

  it('relates what pods of several nodes share to each of these nodes', async () => {
    const pods = [first, second, third];
    const related = ['own', 'some', 'all', 'other'].map((name) => nodesOf('secrets', name, { pods }));
    assert.deepEqual(await Promise.all(related), ['one', 'one two', 'one two three', '']);
  });

  it('ends with the last pod of the node that references the object', async () => {
    const again = pod('again', 'one', 'all');
    assert.equal(await nodesOf('secrets', 'all', { pods: [again, second] }), 'one two');
    assert.equal(await nodesOf('secrets', 'all', { pods: [second] }), 'two');
    assert.equal(await nodesOf('secrets', 'all', { pods: [pod('third', 'three'), second] }), 'two');
    assert.equal(await nodesOf('pods', 'first', { pods: [second] }), '');
    assert.equal(await nodesOf('serviceaccounts', 'first-account', { pods: [first] }), 'one');
    assert.equal(await nodesOf('serviceaccounts', 'first-account', { pods: [again] }), '');
  });

  it('reaches a volume and its secrets through the claim of a pod', async () => {
    const pods = [first, second];
    for (const [volumes, expected] of [
      [[volume('first-claim')], 'one'],
      [[volume('second-claim')], 'two'],
      [[volume('other')], ''],
      [[volume()], ''],
      [[], ''],
    ] as const) {
      assert.equal(await nodesOf('persistentvolumes', 'v', { pods, volumes }), expected);
      assert.equal(await nodesOf('secrets', 'publish', { pods, volumes }), expected);
    }
    assert.equal(await nodesOf('secrets', 'publish', { pods: [second], volumes: [volume('first-claim')] }), '');
  });

  it('relates no node to an attachment or a slice that is gone', async () => {
    assert.equal(await nodesOf('volumeattachments', 'one', {}), '');
    assert.equal(await nodesOf('resourceslices', 'one', {}), '');
  });
});
