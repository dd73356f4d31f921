import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CustomResourceDefinition, CustomResourceDefinitionStatus } from '@binnacle/api/types/apiextensions-v1';
import { findCondition } from '../resources/index.js';
import { updateStatus } from './desired-status.js';

const THEN = Date.parse('2026-01-01T00:00:00Z');
const NOW = Date.parse('2026-01-02T00:00:00Z');
const names = { plural: 'crontabs', kind: 'CronTab', singular: 'crontab', listKind: 'CronTabList' };
const free = { resources: new Set<string>(), kinds: new Set<string>() };

function definition(changes: Partial<CustomResourceDefinition['spec']> = {}, status?: CustomResourceDefinitionStatus) {
  const crd: CustomResourceDefinition = {
    metadata: { name: 'crontabs.example.com' },
    spec: { group: 'example.com', names, scope: 'Namespaced', versions: [], ...changes },
  };
  if (status !== undefined) crd.status = status;
  return crd;
}

const conditionsOf = ({ status }: CustomResourceDefinition) =>
  (status?.conditions ?? []).map(({ type, status: is, reason }) => `${type} ${is} ${reason}`);

describe('the status of a definition', () => {
  it('accepts free names, and establishes the kind', async () => {
    const crd = definition();
    await updateStatus(crd, free, NOW);
    assert.deepEqual(crd.status?.acceptedNames, names);
    assert.deepEqual(conditionsOf(crd), ['NamesAccepted True NoConflicts', 'Established True InitialNamesAccepted']);
  });

  it('does not establish a kind whose names are taken', async () => {
    const crd = definition();
    await updateStatus(crd, { ...free, kinds: new Set(['CronTab']) }, NOW);
    assert.deepEqual(conditionsOf(crd), ['NamesAccepted False KindConflict', 'Established False NotAccepted']);
  });

  it('keeps a kind established when its new names are taken', async () => {
    const crd = definition();
    await updateStatus(crd, free, THEN);
    crd.spec.names = { ...names, singular: 'tab' };
    await updateStatus(crd, { ...free, resources: new Set(['tab']) }, NOW);
    assert.deepEqual(conditionsOf(crd), [
      'NamesAccepted False SingularConflict',
      'Established True InitialNamesAccepted',
    ]);
    assert.equal(findCondition(crd, 'Established')?.lastTransitionTime, '2026-01-01T00:00:00Z');
    assert.equal(findCondition(crd, 'NamesAccepted')?.lastTransitionTime, '2026-01-02T00:00:00Z');
  });

  it('does not change when nothing changes', async () => {
    const crd = definition();
    await updateStatus(crd, free, THEN);
    const before = structuredClone(crd);
    await updateStatus(crd, free, NOW);
    assert.deepEqual(crd, before);
  });
});

describe('the approval of a definition', () => {
  const cases: [group: string, annotation: string | undefined, condition: string | undefined][] = [
    ['example.com', undefined, undefined],
    ['k8s.io', undefined, 'False MissingAnnotation'],
    ['x.k8s.io', 'https://github.com/kubernetes/kubernetes/pull/1', 'True ApprovedAnnotation'],
    ['x.kubernetes.io', 'unapproved, experimental', 'False UnapprovedAnnotation'],
    ['k8s.io', 'yes', 'False InvalidAnnotation'],
    ['notk8s.io', undefined, undefined],
  ];
  for (const [group, annotation, condition] of cases) {
    it(`is ${condition ?? 'not asked for'} for ${group} with ${annotation ?? 'no annotation'}`, async () => {
      const crd = definition({ group });
      if (annotation !== undefined) crd.metadata = { annotations: { 'api-approved.kubernetes.io': annotation } };
      await updateStatus(crd, free, NOW);
      const found = findCondition(crd, 'KubernetesAPIApprovalPolicyConformant');
      assert.equal(found === undefined ? undefined : `${found.status} ${found.reason}`, condition);
    });
  }
});

describe('a definition of an older server', () => {
  const version = (openAPIV3Schema: object) => ({
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema },
  });
  const structural = async (
    spec: Partial<CustomResourceDefinition['spec']>,
    status?: CustomResourceDefinitionStatus,
  ) => {
    const crd = definition(spec, status);
    await updateStatus(crd, free, NOW);
    return findCondition(crd, 'NonStructuralSchema');
  };

  it('is reported if it preserves unknown fields, with every other problem', async () => {
    const one = await structural({ preserveUnknownFields: true });
    assert.equal(one?.message, 'spec.preserveUnknownFields: Invalid value: true: must be false');
    const versions = [version({ type: 'object', properties: { a: {} } })];
    const two = await structural({ preserveUnknownFields: true, versions });
    assert.equal(
      two?.message,
      '[spec.preserveUnknownFields: Invalid value: true: must be false, ' +
        'spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields]',
    );
  });

  it('loses the condition once its schema is structural', async () => {
    const status = {
      conditions: [
        { type: 'NonStructuralSchema', status: 'True', reason: 'Violations', message: 'x', lastTransitionTime: '' },
      ],
    };
    assert.equal(await structural({ versions: [version({ type: 'object' })] }, status), undefined);
  });
});
