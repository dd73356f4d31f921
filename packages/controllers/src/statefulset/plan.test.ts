import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type PodAction, planStatefulSet, type StatefulSetPlan } from './plan.js';
import { claim, pod, seen, statefulSet, volumeClaimTemplates } from './statefulset.testing.js';

const parallel = { podManagementPolicy: 'Parallel' } as const;
const onDelete = { updateStrategy: { type: 'OnDelete' } } as const;
const partition = (number: number) =>
  ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: number } } }) as const;

/** `create 0, claims 1; delete 4; replace 2`: phases with a semicolon between them, and empty ones left out. */
function inShort({ phases, rollout }: StatefulSetPlan): string {
  const nameOf = (name = '') => name.replace('db-', '');
  const texts = phases.map((actions) =>
    actions.map(({ type, pod: { metadata } }: PodAction) => `${type} ${nameOf(metadata.name)}`).join(', '),
  );
  if (rollout !== undefined) texts.push(`replace ${nameOf(rollout.pod.metadata.name)}`);
  return texts.filter((text) => text !== '').join('; ');
}

describe('the plan of an ordered set', () => {
  for (const [what, spec, pods, expected] of [
    ['creates the first pod', {}, '', 'create 0'],
    ['creates no pod twice', {}, '0p', ''],
    ['waits for an unready pod', {}, '0u', ''],
    ['waits for a pod to be available', { minReadySeconds: 10 }, '0y', ''],
    ['creates the next one', { minReadySeconds: 5 }, '0y', 'create 1'],
    ['begins at the start ordinal', { ordinals: { start: 2 } }, '2', 'create 3'],
    ['fills a gap', {}, '0 2', 'create 1'],
    ['waits for a pod that is being deleted', {}, '0d 1', ''],
    ['deletes a failed pod', {}, '0 1f 2', 'delete 1'],
    ['deletes a succeeded pod', {}, '0s 1 2', 'delete 0'],
    ['waits for a failed pod that is being deleted', {}, '0fd', ''],
    ['is content', {}, '0 1 2', ''],
    ['gives a pod its labels back', {}, '0 1x 2', 'update 1'],
    ['scales down from the top', { replicas: 1 }, '0 1 2', 'delete 2'],
    ['scales down one by one', { replicas: 1 }, '0 1 2d', ''],
    ['does not scale down before a lower pod is ready', { replicas: 2 }, '0 1u 2', ''],
    ['deletes an unready pod if all others are ready', { replicas: 2 }, '0 1 2u', 'delete 2'],
    ['does not delete an unready pod above another one', { replicas: 1 }, '0 1u 2u', ''],
    ['deletes pods below the start ordinal', { ordinals: { start: 1 } }, '0 1 2 3', 'delete 0'],
    ['replaces the last old pod', {}, '0o 1o 2o', 'replace 2'],
    ['replaces the next one', {}, '0o 1o 2', 'replace 1'],
    ['waits for the last pod to be available', { minReadySeconds: 10 }, '0o 1o 2y', ''],
    ['is stuck with a pending new pod', {}, '0o 1o 2p', ''],
    ['scales before it rolls out', { replicas: 2 }, '0o 1o 2o', 'delete 2'],
    ['keeps pods below the partition', partition(1), '0o 1 2', ''],
    ['replaces pods at the partition', partition(1), '0o 1o 2', 'replace 1'],
    ['leaves old pods to the user', onDelete, '0o 1o 2o', ''],
  ] as const) {
    it(what, () => assert.equal(inShort(planStatefulSet(seen(statefulSet(spec), pods))), expected));
  }
});

describe('the plan of a parallel set', () => {
  for (const [what, spec, pods, expected] of [
    ['creates all pods', {}, '', 'create 0, create 1, create 2'],
    ['creates all that are missing', {}, '1u', 'create 0, create 2'],
    ['deletes all above the range', { replicas: 1 }, '0u 1 2u 3d', 'delete 2, delete 1'],
    ['deletes all that failed', {}, '0f 1 2f', 'delete 0, delete 2; replace 2'],
    ['replaces one pod at a time', {}, '0o 1o 2o', 'replace 2'],
    ['waits for it to be ready', {}, '0o 1o 2u', ''],
    ['does not replace while a higher pod is missing', {}, '0o 1o', 'create 2'],
  ] as const) {
    const old = what === 'deletes all that failed' ? pods.replace('2f', '2fo') : pods;
    it(what, () => assert.equal(inShort(planStatefulSet(seen(statefulSet({ ...parallel, ...spec }), old))), expected));
  }
});

describe('the plan of a set that wants 2^31 - 1 pods', () => {
  const huge = { replicas: 2 ** 31 - 1 };

  it('creates the first missing one, if it is ordered', () => {
    assert.equal(inShort(planStatefulSet(seen(statefulSet(huge), '0 2'))), 'create 1');
  });

  it('creates a batch around the pods that exist, if it is parallel', () => {
    const plan = planStatefulSet(seen(statefulSet({ ...parallel, ...huge }), '1 9000f'));
    const [actions = []] = plan.phases;
    assert.deepEqual(
      [actions.length, actions[1]?.pod.metadata.name, actions[499]?.pod.metadata.name, actions.at(-1)?.type],
      [501, 'db-2', 'db-500', 'delete'],
    );
    assert.deepEqual([plan.rollout, plan.status.replicas], [undefined, 2]);
  });

  it('creates fewer with many claims', () => {
    const set = statefulSet({ ...parallel, ...huge, volumeClaimTemplates: Array(999).fill(volumeClaimTemplates[0]) });
    assert.equal(inShort(planStatefulSet(seen(set, ''))), 'create 0');
  });

  it('ends at the highest ordinal', () => {
    const last = 2 ** 31 - 1;
    const set = statefulSet({ ...parallel, ...huge, ordinals: { start: last } });
    assert.equal(inShort(planStatefulSet(seen(set, ''))), `create ${last}`);
    assert.equal(inShort(planStatefulSet(seen(set, `${last}`))), '');
    assert.equal(inShort(planStatefulSet(seen(set, `${last}o`))), `replace ${last}`);
  });
});

describe('the plan of a set', () => {
  it('changes nothing once it is being deleted, but the status', () => {
    const plan = planStatefulSet(seen(statefulSet({}, { deletionTimestamp: 'soon' }), '0 1o'));
    assert.deepEqual([inShort(plan), plan.status.replicas], ['', 2]);
  });

  it('makes pods of the current revision below the partition', () => {
    const plan = planStatefulSet(seen(statefulSet({ ...parallel, ...partition(1), replicas: 2 }), ''));
    const made = plan.phases.flat().map(({ pod: { metadata, spec } }) => ({
      revision: metadata.labels?.['controller-revision-hash'],
      image: spec?.containers[0]?.image,
      index: metadata.labels?.['apps.kubernetes.io/pod-index'],
      host: `${spec?.hostname ?? ''}.${spec?.subdomain ?? ''}`,
    }));
    assert.deepEqual(made, [
      { revision: 'db-old', image: 'old', index: '0', host: 'db-0.db' },
      { revision: 'db-new', image: 'new', index: '1', host: 'db-1.db' },
    ]);
  });

  it('makes pods with their claims in place of volumes of the same names', () => {
    const spec = {
      containers: [],
      volumes: [
        { name: 'data', emptyDir: {} },
        { name: 'tmp', emptyDir: {} },
      ],
    };
    const set = statefulSet({ volumeClaimTemplates });
    const [action = assert.fail()] = planStatefulSet({
      ...seen(set, ''),
      update: { name: 'db-new', template: { spec } },
    }).phases.flat();
    assert.deepEqual(action.pod.spec?.volumes, [
      { name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } },
      { name: 'tmp', emptyDir: {} },
    ]);
    assert.deepEqual(action.type === 'create' && action.claims.create.map(({ metadata }) => metadata), [
      { name: 'data-db-0', namespace: 'shop', labels: { app: 'db', made: 'by-template' } },
    ]);
  });

  for (const [what, spec, pods, claims, expected] of [
    ['creates missing claims of a pending pod', {}, '0p', [], 'claims 0'],
    ['is content with the claims of a pending pod', {}, '0p', [claim('data-db-0')], ''],
    [
      'waits for a claim of an earlier pod to go',
      { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } },
      '',
      [claim('data-db-0', [{ apiVersion: 'v1', kind: 'Pod', name: 'db-0', uid: 'earlier' }])],
      '',
    ],
    [
      'gives a claim to the pod that goes',
      { replicas: 0, persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } },
      '0',
      [claim('data-db-0')],
      'owners 0; delete 0',
    ],
  ] as const) {
    it(what, () => {
      const set = statefulSet({ volumeClaimTemplates, ...spec });
      assert.equal(inShort(planStatefulSet(seen(set, pods, claims))), expected);
    });
  }

  for (const [what, spec, pods, requeueAfter] of [
    ['no pod is waiting', { minReadySeconds: 10 }, '0 1 2', undefined],
    ['a pod becomes available', { minReadySeconds: 10 }, '0 1y 2', 5000],
    ['availability needs no time', {}, '0 1y 2', undefined],
  ] as const) {
    it(`looks again when ${what}`, () => {
      assert.equal(planStatefulSet(seen(statefulSet(spec), pods)).requeueAfter, requeueAfter);
    });
  }

  it('keeps a pod that it does not know', () => {
    const stranger = { ...pod('0'), metadata: { name: 'db-99999999999' } };
    assert.equal(inShort(planStatefulSet({ ...seen(statefulSet({ replicas: 0 }), ''), pods: [stranger] })), '');
  });
});
