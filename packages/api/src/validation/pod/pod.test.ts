import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldError } from '@binnacle/apimachinery/status';
import type { Steps } from '@binnacle/apimachinery/work';
import type { Container, Pod, PodSpec } from '../../generated/types/core-v1.js';
import { container, podSpec, texts } from '../rules.testing.js';
import { validatePod, validatePodInSteps } from './pod.js';
import { validatePodStatusUpdate } from './status.js';
import { validatePodUpdate, validatePodUpdateInSteps } from './update.js';

const pod = (fields: Partial<PodSpec> = {}): Pod => ({
  metadata: { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '1' },
  spec: podSpec(fields),
});
const of = (fields: Partial<Container>): string[] => texts(validatePod(pod({ containers: [container(fields)] })));

/** The problems that a check finds, and how often it yielded. */
function counted(steps: Steps<FieldError[]>): { errors: string[]; yields: number } {
  let yields = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) yields++;
  return { errors: texts(step.value), yields };
}

test('a minimal pod is valid', () => {
  assert.deepEqual(texts(validatePod(pod())), []);
});

test('thousands of resources of one container are checked in steps', () => {
  const limits = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`a.b/${index}`, '1']));
  const large = pod({ containers: [container({ resources: { limits } })] });
  for (const steps of [validatePodInSteps(large), validatePodUpdateInSteps(large, structuredClone(large))]) {
    const { errors, yields } = counted(steps);
    assert.deepEqual(errors, []);
    assert.ok(yields >= 20, `${yields} yields`);
  }
});

test('thousands of labels and values of selectors are checked in steps', () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `a${index}`);
  const labels = Object.fromEntries(names.map((name) => [name, '1']));
  const expression = (values: string[]) => ({ key: 'a', operator: 'In', values });
  const labelSelectors = [
    { matchLabels: labels },
    { matchExpressions: [expression(names)] },
    { matchExpressions: names.map(() => expression(['a'])) },
  ];
  const inAffinity = labelSelectors.map((labelSelector) => ({
    podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a', labelSelector }] },
  }));
  for (const fields of [{ nodeSelector: labels }, ...inAffinity.map((affinity) => ({ affinity }))]) {
    const few = counted(validatePodInSteps(pod()));
    const { errors, yields } = counted(validatePodInSteps(pod(fields)));
    assert.deepEqual(errors, []);
    assert.ok(yields >= few.yields + 20, `${yields} yields`);
  }
});

const containers: [string, Partial<Container>, string][] = [
  [
    'port',
    { ports: [{ containerPort: 70000, protocol: 'TCP' }] },
    'ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ],
  [
    'host port twice',
    {
      ports: [
        { containerPort: 80, hostPort: 80, protocol: 'TCP' },
        { containerPort: 80, hostPort: 80, protocol: 'TCP' },
      ],
    },
    'ports[1].hostPort: Duplicate value: "TCP//80"',
  ],
  [
    'limit',
    { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } },
    'resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ],
  [
    'negative',
    { resources: { requests: { cpu: '-1' } } },
    'resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0',
  ],
  [
    'unknown resource',
    { resources: { requests: { pods: '1' } } },
    'resources.requests[pods]: Invalid value: "pods": must be a standard resource for containers',
  ],
  [
    'value twice',
    { env: [{ name: 'A', value: '1', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }] },
    'env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
  ],
  ['mount', { volumeMounts: [{ name: 'v', mountPath: '/x' }] }, 'volumeMounts[0].name: Not found: "v"'],
  ['probe', { livenessProbe: { successThreshold: 1 } }, 'livenessProbe: Required value: must specify a handler type'],
];

test('containers', async (t) => {
  for (const [name, fields, text] of containers) {
    await t.test(name, () => assert.deepEqual(of(fields), [`spec.containers[0].${text}`]));
  }
});

const pods: [string, Partial<PodSpec>, string][] = [
  ['containers', { containers: [] }, 'spec.containers: Required value'],
  ['names', { containers: [container(), container()] }, 'spec.containers[1].name: Duplicate value: "c"'],
  [
    'policy',
    { restartPolicy: 'Sometimes' },
    'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
  ],
  [
    'sources',
    { volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/' } }] },
    'spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
  ],
  [
    'toleration',
    { tolerations: [{ operator: 'Exists', value: 'x' }] },
    'spec.tolerations[0].operator: Invalid value: "x": value must be empty when `operator` is \'Exists\'',
  ],
  [
    'a toleration that compares numbers',
    { tolerations: [{ key: 'a', operator: 'Gt', value: '5' }] },
    'spec.tolerations[0].operator: Unsupported value: "Gt": supported values: "Equal", "Exists", "Lt", "Gt"',
  ],
  [
    'affinity',
    { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } } },
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
  ],
  [
    'gates',
    { nodeName: 'n', schedulingGates: [{ name: 'a/b' }] },
    'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
  ],
  [
    'backsteps',
    { volumes: [{ name: 'v', hostPath: { path: '/a/../b' } }] },
    'spec.volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain \'..\'',
  ],
];

test('pods', async (t) => {
  for (const [name, fields, text] of pods) {
    await t.test(name, () => assert.deepEqual(texts(validatePod(pod(fields))), [text]));
  }
});

test('an init container cannot have probes', () => {
  const initContainers = [container({ name: 'i', livenessProbe: {} })];
  const text =
    'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always';
  assert.deepEqual(texts(validatePod(pod({ initContainers }))), [text]);
});

test('most fields of a running pod are immutable', () => {
  assert.deepEqual(texts(validatePodUpdate(pod({ containers: [container({ image: 'j' })] }), pod())), []);
  const [text = ''] = texts(validatePodUpdate(pod({ containers: [container({ command: ['x'] })] }), pod()));
  assert.match(
    text,
    /^spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`,.*\n@@ /,
  );
  assert.deepEqual(texts(validatePodUpdate(pod({ containers: [container(), container({ name: 'd' })] }), pod())), [
    'spec.containers: Forbidden: pod updates may not add or remove containers',
  ]);
  assert.deepEqual(texts(validatePodUpdate(pod({ tolerations: [{ operator: 'Exists' }] }), pod())), []);
  assert.deepEqual(texts(validatePodUpdate(pod({ activeDeadlineSeconds: 9 }), pod({ activeDeadlineSeconds: 5 }))), [
    'spec.activeDeadlineSeconds: Invalid value: 9: must be less than or equal to previous value',
  ]);
});

test('the QoS class of a pod is immutable', () => {
  const old = { ...pod(), status: { qosClass: 'BestEffort' } };
  assert.deepEqual(texts(validatePodStatusUpdate({ ...pod(), status: { qosClass: 'Burstable' } }, old)), [
    'status.qosClass: Invalid value: "Burstable": field is immutable',
  ]);
});
