import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ValidatingAdmissionPolicy } from '@binnacle/client/kinds/admissionregistration/v1';
import { FakeObjects, settle } from '@binnacle/client/testing';
import type { TransportRequest } from '@binnacle/client/transport';
import { runLoop } from '../testing/index.js';
import { createPolicyStatusLoop } from './policy-status-loop.js';

const DISCOVERY = {
  '/api': { kind: 'APIGroupDiscoveryList', items: [] },
  '/apis': {
    kind: 'APIGroupDiscoveryList',
    items: [
      {
        metadata: { name: 'apps' },
        versions: [
          {
            version: 'v1',
            resources: [
              {
                resource: 'deployments',
                scope: 'Namespaced',
                singularResource: 'deployment',
                verbs: ['get'],
                responseKind: { group: 'apps', version: 'v1', kind: 'Deployment' },
              },
            ],
          },
        ],
      },
    ],
  },
  '/openapi/v3': { paths: { 'apis/apps/v1': { serverRelativeURL: '/openapi/v3/apis/apps/v1?hash=1' } } },
  '/openapi/v3/apis/apps/v1': {
    components: {
      schemas: {
        Deployment: {
          type: 'object',
          properties: { spec: { type: 'object', properties: { replicas: { type: 'integer' } } } },
          'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
        },
      },
    },
  },
};

const policy = (name: string, expression: string, generation: number): ValidatingAdmissionPolicy => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name, generation },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['deployments'] }],
    },
    validations: [{ expression }],
  },
});

async function run(...policies: readonly ValidatingAdmissionPolicy[]) {
  const writes: string[] = [];
  const documents = new Map<string, object>(Object.entries(DISCOVERY));
  const objects = new FakeObjects([ValidatingAdmissionPolicy], ({ method, path, body }: TransportRequest) => {
    if (method === 'GET') return { object: documents.get(path.replace(/\?.*/, '')) ?? {} };
    assert.match(path, /\/status\?fieldManager=validatingadmissionpolicy-status&force=true/);
    const given = JSON.parse(String(body)) as ValidatingAdmissionPolicy;
    const { observedGeneration, typeChecking } = given.status ?? {};
    const warnings = typeChecking?.expressionWarnings?.map(({ fieldRef, warning }) => `${fieldRef} ${warning}`) ?? [];
    writes.push(`${given.metadata.name ?? ''} ${observedGeneration ?? 0} ${warnings.join().split('\n')[0] ?? ''}`);
    const stored = policies.find(({ metadata }) => metadata.name === given.metadata.name) ?? given;
    return { object: objects.set(ValidatingAdmissionPolicy, { ...stored, status: given.status ?? {} }) };
  });
  for (const each of policies) objects.set(ValidatingAdmissionPolicy, each);
  const loop = runLoop(createPolicyStatusLoop, objects.transport);
  const passing = async () => {
    for (let turns = 0; turns < 30; turns++) await settle();
    return writes.splice(0).toSorted();
  };
  return { ...loop, objects, passing };
}

describe('the status of validating admission policies', () => {
  it('shows type errors and the generation, once', async () => {
    const { passing, objects, reports, end } = await run(
      policy('fine', 'object.spec.replicas < 5', 1),
      policy('wrong', 'object.spec.replica < 5', 2),
    );
    assert.deepEqual(await passing(), [
      'fine 1 ',
      "wrong 2 spec.validations[0].expression apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replica'",
    ]);
    assert.deepEqual(await passing(), []);
    objects.set(ValidatingAdmissionPolicy, {
      ...policy('wrong', 'object.spec.replicas < 5', 3),
      status: { observedGeneration: 2 },
    });
    assert.deepEqual(await passing(), ['wrong 3 ']);
    assert.deepEqual(reports, []);
    await end();
  });
});
