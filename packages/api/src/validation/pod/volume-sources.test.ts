import { test } from 'node:test';
import type { Pod, PodSpec } from '../../generated/types/core-v1.js';
import { checkRule, podSpec, type WrongCase } from '../rules.testing.js';
import { validatePod } from './pod.js';

const metadata = { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '1' };
const pod: Pod = { metadata, spec: podSpec() };

function spec(fields: Partial<PodSpec>): (object: Pod) => void {
  return (object) => Object.assign(object, { spec: { ...object.spec, ...fields } });
}

test('sources of volumes', () => {
  const volume = (source: object, ...expected: string[]): WrongCase<Pod> => [
    spec({ volumes: [{ name: 'v', ...source }] }),
    expected.map((text) => `spec.volumes[0].${text}`),
  ];
  const range = 'must be between 0 and 255, inclusive';
  checkRule(validatePod, pod, [
    volume(
      { gcePersistentDisk: { partition: 300 } },
      'persistentDisk.pdName: Required value',
      'persistentDisk.partition: Invalid value: 300: must be between 1 and 255, inclusive',
    ),
    volume(
      { iscsi: { targetPortal: '', iqn: 'x', lun: 256, chapAuthSession: true } },
      'iscsi.targetPortal: Required value',
      'iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa',
      `iscsi.lun: Invalid value: 256: ${range}`,
      'iscsi.secretRef: Required value',
    ),
    volume({ iscsi: { targetPortal: 'p', iqn: 'iqn.2015-02.example.com:storage', lun: 0 } }),
    volume(
      { fc: { targetWWNs: ['a'], wwids: ['b'] } },
      'fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously',
      'fc.lun: Required value: lun is required if targetWWNs is specified',
    ),
    volume({ flocker: {} }, 'flocker: Required value: one of datasetName and datasetUUID is required'),
    volume(
      { quobyte: { registry: 'a:1,b', volume: 'v' } },
      'quobyte.registry: Invalid value: "a:1,b": must be a host:port pair or multiple pairs separated by commas',
    ),
    volume(
      { flexVolume: { driver: 'd', options: { 'k8s.io/x': '1' } } },
      'flexVolume.options[k8s.io/x]: Invalid value: "k8s.io/x": kubernetes.io and k8s.io namespaces are reserved',
    ),
    volume(
      { azureDisk: { diskName: 'd', diskURI: 'x', kind: 'Managed' } },
      'azureDisk.diskURI: Unsupported value: "x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
    ),
    volume(
      { storageos: { secretRef: {} } },
      'storageos.volumeName: Required value',
      'storageos.secretRef.name: Required value',
    ),
  ]);
});
