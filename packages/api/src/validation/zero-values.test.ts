import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HPAScalingPolicy } from '../generated/types/autoscaling-v2.js';
import type { Container, EnvVar, HTTPHeader, SleepAction } from '../generated/types/core-v1.js';
import { validateHorizontalPodAutoscaler, validatePod } from './index.js';
import { container, podSpec, texts } from './rules.testing.js';

// A decoded object lacks zeros, also of fields that every object shows. Seen with kube-apiserver 1.36.

const ofPod = (fields: Partial<Container>): string[] =>
  texts(validatePod({ metadata: { name: 'a', namespace: 'n' }, spec: podSpec({ containers: [container(fields)] }) }));
const ofPolicy = (policy: object): string[] =>
  texts(
    validateHorizontalPodAutoscaler({
      metadata: { name: 'a', namespace: 'n' },
      spec: {
        minReplicas: 1,
        maxReplicas: 2,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        behavior: { scaleUp: { policies: [policy as HPAScalingPolicy] } },
      },
    }),
  );
const pause = { preStop: { sleep: {} as SleepAction } };
const headers = { preStop: { httpGet: { path: '/', port: 80, scheme: 'HTTP', httpHeaders: [{} as HTTPHeader] } } };
const file = (fields: object): Partial<Container> => ({
  env: [{ name: 'A', valueFrom: { fileKeyRef: fields } } as EnvVar],
});
const POLICY = 'spec.behavior.scaleUp.policies[0]';
const FILE = 'spec.containers[0].env[0].valueFrom.fileKeyRef';

const cases: readonly (readonly [what: string, errors: () => string[], expected: readonly string[]])[] = [
  ['a pause of no seconds', () => ofPod({ lifecycle: pause }), []],
  [
    'a header without a name',
    () => ofPod({ lifecycle: headers }),
    ['spec.containers[0].lifecycle.preStop.httpGet.httpHeaders'],
  ],
  ['a file without parts', () => ofPod(file({})), [`${FILE}.key`, `${FILE}.volumeName`, `${FILE}.path`]],
  ['a file outside of its volume', () => ofPod(file({ key: 'k', volumeName: 'v', path: '../etc' })), [`${FILE}.path`]],
  ['a policy that changes nothing', () => ofPolicy({ type: 'Pods', periodSeconds: 5 }), [`${POLICY}.value`]],
  ['a policy for no time', () => ofPolicy({ type: 'Pods', value: 1 }), [`${POLICY}.periodSeconds`]],
];

describe('the rules for a zero', () => {
  for (const [what, errors, expected] of cases) {
    it(`${expected.length === 0 ? 'accept' : 'refuse'} ${what}`, () => {
      const found = errors();
      for (const field of expected)
        assert.ok(
          found.some((text) => text.startsWith(`${field}: `)),
          found.join('\n'),
        );
      if (expected.length === 0) assert.deepEqual(found, []);
    });
  }
});
