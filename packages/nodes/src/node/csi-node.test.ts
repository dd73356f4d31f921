import assert from 'node:assert/strict';
import { it } from 'node:test';
import { csiNodeOf } from './csi-node.js';

it('a CSINode belongs to its node, and names the plugins that drivers replace', () => {
  const { metadata, spec } = csiNodeOf({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-0', uid: 'u' } });
  assert.equal(metadata.name, 'node-0');
  assert.deepEqual(metadata.ownerReferences, [{ apiVersion: 'v1', kind: 'Node', name: 'node-0', uid: 'u' }]);
  // As a kubelet of 1.36 writes it.
  const plugins =
    'kubernetes.io/aws-ebs,kubernetes.io/azure-disk,kubernetes.io/azure-file,kubernetes.io/cinder,' +
    'kubernetes.io/gce-pd,kubernetes.io/portworx-volume,kubernetes.io/vsphere-volume';
  assert.deepEqual(metadata.annotations, { 'storage.alpha.kubernetes.io/migrated-plugins': plugins });
  assert.deepEqual(spec, { drivers: [] });
});
