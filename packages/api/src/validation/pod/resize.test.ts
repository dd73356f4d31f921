import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../generated/types/core-v1.js';
import { checkUpdate, container, podSpec, texts } from '../rules.testing.js';
import { validatePodResize } from './resize.js';

const metadata = { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '1' };

const running: Pod = {
  metadata,
  spec: podSpec({
    containers: [container({ resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } })],
    initContainers: [
      container({ name: 'i', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
    ],
  }),
  status: { qosClass: 'Burstable', containerStatuses: [] },
};

test('a resize changes only cpu and memory', () => {
  const first = (fields: object) => (object: Pod) => Object.assign(object.spec?.containers[0] ?? {}, fields);
  checkUpdate(validatePodResize, running, [
    [first({ resources: { requests: { cpu: '2' }, limits: { cpu: '3' } } }), []],
    [
      first({ resources: { requests: { cpu: '1' } } }),
      ['spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed'],
    ],
    [
      first({ resources: { requests: { cpu: '1', 'ephemeral-storage': '1' }, limits: { cpu: '2' } } }),
      ['spec: Forbidden: only cpu and memory resources are mutable'],
    ],
    [
      first({ resources: {} }),
      [
        'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
        'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
        'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
      ],
    ],
    [
      first({ name: 'd' }),
      ['spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize'],
    ],
    [
      (object) => object.spec?.containers.push(container({ name: 'd' })),
      ['spec.containers: Forbidden: containers may not be added or removed on resize'],
    ],
    [
      (object) => Object.assign(object.spec?.initContainers?.[0] ?? {}, { resources: { requests: { cpu: '1' } } }),
      [
        'spec.initContainers[0]: Forbidden: non-sidecar init containers with a resize policy of RestartContainer cannot be resized',
      ],
    ],
  ]);
  const mirror: Pod = { ...running, metadata: { ...metadata, annotations: { 'kubernetes.io/config.mirror': 'x' } } };
  assert.deepEqual(texts(validatePodResize(mirror, mirror)), [': Forbidden: static pods cannot be resized']);
});
