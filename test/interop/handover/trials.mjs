/**
 * Workloads that are changed while their manager is killed. A trial has the phases `start`, `change(release)` and `finish(release)`, and
 * says how many pods a change creates and deletes, whoever makes it. It is in the middle while it has created at least `begun` of them,
 * and not all.
 */
import assert from 'node:assert/strict';
import { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from '@binnacle/client/kinds/apps/v1';
import { Job } from '@binnacle/client/kinds/batch/v1';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { waitFor } from '@binnacle/client/testing';
import { PATIENT } from '../components/cluster.mjs';
import { hasCondition, hasCounts, job, releasePatch, runsRelease, template, workload } from '../components/objects.mjs';
import { between } from './pod-ledger.mjs';

/** Slow enough that a rollout is in its middle for many seconds. */
const minReadySeconds = 6;
/** No scheduler has this name, so the test alone moves these pods on. */
const unscheduled = { schedulerName: 'none' };

/** Surges by two, and one may be missing. */
export const deployment = {
  name: 'deployment',
  begun: 3,
  creates: 10,
  deletes: 10,
  rule: between({ most: 12, least: 9, minReadySeconds }),
  start: async (of) => {
    const strategy = { rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } };
    await of(Deployment).create(workload('Deployment', 'web', { replicas: 10, minReadySeconds, strategy }));
    await waitFor(of(Deployment), 'web', hasCounts({ availableReplicas: 10 }), PATIENT);
  },
  change: (of, release) => of(Deployment).patch('web', releasePatch(release)),
  finish: async (of, release) => {
    const counts = { replicas: 10, updatedReplicas: 10, availableReplicas: 10 };
    const { status } = await waitFor(of(Deployment), 'web', hasCounts(counts), PATIENT);
    assert.equal(status.collisionCount, undefined);
    const sets = (await of(ReplicaSet).list()).items;
    assert.deepEqual(sets.map(({ spec }) => spec.replicas).sort(), [10, ...Array(release - 1).fill(0)].sort());
    const [{ metadata }] = sets.filter(({ spec }) => spec.replicas > 0);
    assert.equal(metadata.annotations['deployment.kubernetes.io/revision'], String(release));
    await assertRelease(of, release);
  },
};

/** One pod at a time, from the last ordinal to the first. */
export const statefulSet = {
  name: 'statefulset',
  begun: 1,
  creates: 4,
  deletes: 4,
  order: ['db-3', 'db-2', 'db-1', 'db-0'],
  rule: between({ most: 4, least: 3, minReadySeconds }),
  start: async (of) => {
    const spec = { replicas: 4, serviceName: 'db', minReadySeconds, podManagementPolicy: 'OrderedReady' };
    await of(StatefulSet).create(workload('StatefulSet', 'db', spec));
    await waitFor(of(StatefulSet), 'db', hasCounts({ availableReplicas: 4 }), PATIENT);
  },
  change: (of, release) => of(StatefulSet).patch('db', releasePatch(release)),
  finish: async (of, release) => {
    const counts = { replicas: 4, updatedReplicas: 4, availableReplicas: 4 };
    const { status } = await waitFor(of(StatefulSet), 'db', hasCounts(counts), PATIENT);
    assert.equal(status.currentRevision, status.updateRevision);
    await assertRelease(of, release);
    await assertRevisions(of, release);
  },
};

/** `nodes` nodes; one may be without. */
export const daemonSet = (nodes) => ({
  name: 'daemonset',
  begun: 1,
  creates: nodes,
  deletes: nodes,
  rule: between({ most: nodes, least: nodes - 1, minReadySeconds }),
  start: async (of) => {
    await of(DaemonSet).create(workload('DaemonSet', 'agent', { minReadySeconds }));
    const counts = { desiredNumberScheduled: nodes, numberAvailable: nodes };
    await waitFor(of(DaemonSet), 'agent', hasCounts(counts), PATIENT);
  },
  change: (of, release) => of(DaemonSet).patch('agent', releasePatch(release)),
  finish: async (of, release) => {
    const counts = { updatedNumberScheduled: nodes, numberAvailable: nodes };
    await waitFor(of(DaemonSet), 'agent', hasCounts(counts), PATIENT);
    await assertRelease(of, release);
    await assertRevisions(of, release);
  },
});

/** Pods end all the time, also while no manager runs: {@link endPods}. */
export const jobs = {
  name: 'job',
  begun: 5,
  creates: 12,
  deletes: 0,
  rule: between({ most: 4 }),
  start: async () => undefined,
  change: (of, release) => {
    const spec = template('sum', release, { ...unscheduled, restartPolicy: 'Never' });
    return of(Job).create(job(`sum-${release}`, { completions: 12, parallelism: 4, template: spec }));
  },
  finish: async (of, release) => {
    const { status } = await waitFor(of(Job), `sum-${release}`, hasCondition('Complete'), PATIENT);
    const { succeeded, failed = 0, active = 0, uncountedTerminatedPods } = status;
    assert.deepEqual([succeeded, failed, active, uncountedTerminatedPods], [12, 0, 0, {}]);
    const tracked = (await of(Pod).list()).items.filter(({ metadata }) => metadata.finalizers !== undefined);
    assert.deepEqual(tracked, []);
  },
};

/** Created in batches, at the default rate of upstream's manager. */
export const burst = {
  name: 'burst',
  begun: 40,
  creates: 200,
  deletes: 0,
  rule: () => undefined,
  start: async () => undefined,
  change: (of, release) => {
    const name = `many-${release}`;
    const spec = { replicas: 200, template: template(name, release, unscheduled) };
    return of(ReplicaSet).create(workload('ReplicaSet', name, spec));
  },
  finish: (of, release) => waitFor(of(ReplicaSet), `many-${release}`, hasCounts({ replicas: 200 }), PATIENT),
};

/** Ends a pod that has not ended. */
export async function endPod(of) {
  const { items } = await of(Pod).list({ fieldSelector: 'status.phase=Pending' });
  const [pod] = items;
  if (pod === undefined) return;
  await of(Pod).status.patch(pod.metadata.name, { type: 'merge', body: { status: { phase: 'Succeeded' } } });
}

async function assertRelease(of, release) {
  const pods = (await of(Pod).list()).items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  assert.ok(pods.every(runsRelease(release)));
}

/** Each template has a revision, and only one. */
async function assertRevisions(of, count) {
  const revisions = (await of(ControllerRevision).list()).items.map(({ revision }) => revision);
  assert.deepEqual(
    revisions.sort(),
    Array.from({ length: count }, (_, index) => index + 1),
  );
}
