import { test } from 'node:test';
import type { Pod, PodSpec } from '../../generated/types/core-v1.js';
import { checkRule, container, podSpec } from '../rules.testing.js';
import { validatePod } from './pod.js';

const metadata = { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '1' };
const pod: Pod = { metadata, spec: podSpec() };

function spec(fields: Partial<PodSpec>): (object: Pod) => void {
  return (object) => Object.assign(object, { spec: { ...object.spec, ...fields } });
}

test('names, users and files of pods', () => {
  const env = [{ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'f', key: 'k' } } }];
  checkRule(validatePod, pod, [
    [
      spec({ hostnameOverride: 'a.b', setHostnameAsFQDN: true, hostNetwork: true }),
      [
        'spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
        'spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true',
      ],
    ],
    [spec({ hostUsers: false, hostIPC: true }), ['spec.HostIPC: Forbidden: when `hostUsers` is false']],
    [
      spec({ containers: [container({ env })] }),
      ['spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Not found: "v"'],
    ],
    [
      spec({ containers: [container({ env })], volumes: [{ name: 'v', hostPath: { path: '/x' } }] }),
      [
        'spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Invalid value: "v": referenced volume must be of type emptyDir',
      ],
    ],
  ]);
});
