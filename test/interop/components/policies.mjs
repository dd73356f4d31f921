import assert from 'node:assert/strict';
import { ValidatingAdmissionPolicy } from '@binnacle/client/kinds/admissionregistration/v1';
import { waitFor } from '@binnacle/client/testing';
import { PATIENT } from './cluster.mjs';

/** The types in a policy's expressions are checked against the server's OpenAPI documents. */
export async function walkPolicy(cluster) {
  const policies = cluster.client.resource(ValidatingAdmissionPolicy);
  const deployments = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] };
  await policies.create({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'three' },
    spec: {
      matchConstraints: { resourceRules: [deployments] },
      validations: [{ expression: 'object.spec.replicas == 3' }, { expression: "object.spec.replicas == 'three'" }],
    },
  });
  const isChecked = ({ metadata, status }) => status?.observedGeneration === metadata.generation;
  const { status } = await waitFor(policies, 'three', isChecked, PATIENT);
  const warnings = status.typeChecking.expressionWarnings.map(({ fieldRef }) => fieldRef);
  assert.deepEqual(warnings, ['spec.validations[1].expression']);
}
