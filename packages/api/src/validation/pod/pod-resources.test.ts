import { test } from 'node:test';
import type { Pod, PodSpec } from '../../generated/types/core-v1.js';
import { checkRule, container, podSpec } from '../rules.testing.js';
import { validatePod } from './pod.js';

const metadata = { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '1' };
const pod: Pod = { metadata, spec: podSpec() };

function spec(fields: Partial<PodSpec>): (object: Pod) => void {
  return (object) => Object.assign(object, { spec: { ...object.spec, ...fields } });
}

test('pod-level resources', () => {
  const containers = [container({ resources: { requests: { cpu: '2' }, limits: { cpu: '3' } } })];
  checkRule(validatePod, pod, [
    [spec({ containers, resources: { requests: { cpu: '2' }, limits: { cpu: '4' } } }), []],
    [
      spec({ containers, resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } }),
      [
        'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
        'spec.resources.containers[0][cpu].limits: Invalid value: "3": must be less than or equal to pod limits of 2',
      ],
    ],
    [
      spec({ resources: { limits: { 'ephemeral-storage': '1' }, claims: [{ name: 'c' }] }, resourceClaims: [] }),
      [
        'spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level',
        'spec.resources.limits[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
        'spec.resources.claims[0]: Not found: "c": must be one of the names in pod.spec.resourceClaims which is empty',
      ],
    ],
    [
      spec({ containers: [container({ resources: { limits: { 'hugepages-2Mi': '3Mi', memory: '1Gi' } } })] }),
      [
        'spec.containers[0].resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      ],
    ],
    [
      spec({ os: { name: 'windows' }, resources: { limits: { cpu: '1' } } }),
      ['spec.resources: Forbidden: may not be set for a windows pod'],
    ],
  ]);
});
