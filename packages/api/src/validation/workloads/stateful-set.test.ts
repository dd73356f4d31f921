import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatefulSet } from '../../generated/types/apps-v1.js';
import type { Container, PodSpec } from '../../generated/types/core-v1.js';
import { container, template, texts } from '../rules.testing.js';
import { validateStatefulSet, validateStatefulSetUpdate } from './stateful-set.js';

type Mounts = Pick<Container, 'volumeMounts'>;

/** A StatefulSet after defaulting, with claim templates of these names. */
function statefulSet(
  claims: readonly (string | undefined)[],
  mounts: Mounts = {},
  pod: Partial<PodSpec> = {},
): StatefulSet {
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    volumeMode: 'Filesystem',
  };
  return {
    spec: {
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate' },
      replicas: 1,
      serviceName: 's',
      selector: { matchLabels: { a: 'b' } },
      template: template({ containers: [container(mounts)], ...pod }),
      volumeClaimTemplates: claims.map((name) => ({ metadata: name === undefined ? {} : { name }, spec })),
    },
  };
}

const unnamed = [
  'spec.template.spec.volumes[0].persistentVolumeClaim.claimName: Required value',
  'spec.template.spec.volumes[0].name: Required value',
];

test('a claim template is a volume of the pods, so it needs a name', () => {
  const mounts = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };
  assert.deepEqual(texts(validateStatefulSet(statefulSet(['data'], mounts))), []);
  assert.deepEqual(texts(validateStatefulSet(statefulSet([undefined]))), unnamed);
  assert.deepEqual(texts(validateStatefulSet(statefulSet([undefined, '']))), unnamed);
  assert.deepEqual(texts(validateStatefulSet(statefulSet([undefined], mounts))), [
    ...unnamed,
    'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"',
  ]);
});

test('a StatefulSet that was stored with an unnamed claim template may still be updated', () => {
  const old = statefulSet([undefined]);
  assert.deepEqual(
    texts(validateStatefulSetUpdate({ ...old, spec: old.spec && { ...old.spec, replicas: 2 } }, old)),
    [],
  );
});
