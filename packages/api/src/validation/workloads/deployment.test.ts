import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment, DeploymentSpec } from '../../generated/types/apps-v1.js';
import { validateDeployment, validateDeploymentUpdate } from './deployment.js';
import { template, texts } from '../rules.testing.js';

const deployment = (fields: Partial<DeploymentSpec> = {}): Deployment => ({
  metadata: { name: 'x', namespace: 'n' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: 'b' } },
    template: template(),
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    progressDeadlineSeconds: 600,
    ...fields,
  },
});

const cases: [string, Partial<DeploymentSpec>, string[]][] = [
  ['fine', {}, []],
  [
    'mismatch',
    { selector: { matchLabels: { z: 'z' } } },
    ['spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`'],
  ],
  [
    'strategy',
    { strategy: { type: 'Nope' } },
    [
      'spec.strategy: Unsupported value: {"Type":"Nope","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    ],
  ],
  [
    'zero',
    { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
    ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0'],
  ],
  [
    'operator',
    { selector: { matchExpressions: [{ key: 'a', operator: 'Nope' }] } },
    [
      'spec.selector.matchExpressions[0].operator: Invalid value: "Nope": not a valid selector operator',
      'spec.selector: Invalid value: {"matchExpressions":[{"key":"a","operator":"Nope"}]}: invalid label selector',
    ],
  ],
];

test('deployments', async (t) => {
  for (const [name, fields, expected] of cases) {
    await t.test(name, () => assert.deepEqual(texts(validateDeployment(deployment(fields))), expected));
  }
});

test('a selector is immutable, and the error for its labels comes first', () => {
  const changed = deployment({ selector: { matchLabels: { app: 'other' } } });
  assert.deepEqual(texts(validateDeploymentUpdate(changed, deployment())), [
    'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
    'spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable',
  ]);
});
