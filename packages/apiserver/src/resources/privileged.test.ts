import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { required } from '@binnacle/apimachinery/status';
import { finish, WorkBudget } from '@binnacle/apimachinery/work';
import type { Validation } from '../registry/index.js';
import { withoutPrivileged } from './privileged.js';

const POLICY = 'disallowed by cluster policy';
const privileged = { name: 'p', securityContext: { privileged: true } };
const harmless = { name: 'h', securityContext: { privileged: false } };
const hostProcess = { securityContext: { windowsOptions: { hostProcess: true } } };

function errorsOf(validation: Validation | undefined): string[] {
  const errors = validation === undefined || Array.isArray(validation) ? (validation ?? []) : finish(validation);
  return errors.map(({ field, detail }) => `${field}: ${detail}`);
}

const resources: [group: string, resource: string, object: object, errors: string[]][] = [
  ['', 'pods', { spec: { containers: [harmless] } }, []],
  [
    '',
    'pods',
    { spec: { initContainers: [privileged], containers: [harmless, privileged], ephemeralContainers: [privileged] } },
    ['containers[1]', 'initContainers[0]', 'ephemeralContainers[0]'].map(
      (path) => `spec.${path}.securityContext.privileged: ${POLICY}`,
    ),
  ],
  [
    '',
    'pods',
    { spec: { ...hostProcess, containers: [harmless] } },
    ['spec: hostProcess containers are disallowed by cluster policy'],
  ],
  [
    'apps',
    'deployments',
    { spec: { template: { spec: { containers: [privileged] } } } },
    [`spec.template.spec.containers[0].securityContext.privileged: ${POLICY}`],
  ],
  [
    'batch',
    'cronjobs',
    { spec: { jobTemplate: { spec: { template: { spec: { containers: [privileged] } } } } } },
    [`spec.jobTemplate.spec.template.spec.containers[0].securityContext.privileged: ${POLICY}`],
  ],
  ['', 'configmaps', { spec: { containers: [privileged] } }, []],
];

describe('a strategy without privileged containers', () => {
  for (const [group, resource, object, errors] of resources) {
    it(`finds ${errors.length} in ${JSON.stringify(object)} of ${resource}`, () => {
      const strategy = withoutPrivileged({}, { group, resource });
      const value = object as KubernetesObject;
      assert.deepEqual(errorsOf(strategy.validate?.(value, new WorkBudget())), errors);
      assert.deepEqual(errorsOf(strategy.validateUpdate?.(value, value, new WorkBudget())), errors);
    });
  }

  it('reports them after the errors of the kind, which may come in steps', () => {
    const validate = function* () {
      yield;
      return [required('spec.x', 'missing')];
    };
    const strategy = withoutPrivileged({ validate }, { group: '', resource: 'pods' });
    const pod = { spec: { containers: [privileged] } } as unknown as KubernetesObject;
    assert.deepEqual(errorsOf(strategy.validate?.(pod, new WorkBudget())), [
      'spec.x: missing',
      `spec.containers[0].securityContext.privileged: ${POLICY}`,
    ]);
  });
});
