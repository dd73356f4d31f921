import assert from 'node:assert/strict';
import { ConfigMap, Event, Node, Pod, Secret } from '@binnacle/client/kinds/core/v1';
import { PriorityClass } from '@binnacle/client/kinds/scheduling/v1';
import { eventually, waitFor, waitForDeletion } from '@binnacle/client/testing';
import { LAMP, PATIENT } from './cluster.mjs';
import { hasCondition, pod } from './objects.mjs';

const runs = ({ status }) => status?.phase === 'Running';

/** A pod waits for what it mentions, which its node may read from then on. */
export async function walkReferences(cluster) {
  const of = await cluster.namespace('references');
  const [pods, maps, secrets] = [Pod, ConfigMap, Secret].map(of);
  const metadata = { name: 'settings' };
  await maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { color: 'red' } });
  await pods.create(
    pod('reader', {
      volumes: [
        { name: 'settings', configMap: { name: 'settings' } },
        { name: 'secrets', secret: { secretName: 'settings' } },
      ],
    }),
  );
  await eventually(async () => {
    const { items } = await of(Event).list({ fieldSelector: 'involvedObject.name=reader,reason=Scheduled' });
    assert.equal(items.length, 1);
  }, PATIENT);
  assert.equal((await pods.get('reader')).status.phase, 'Pending');
  await secrets.create({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { key: 'open' } });
  await waitFor(pods, 'reader', runs, PATIENT);
}

/** Each node has one lamp. Who is more important gets the lamp of another. */
export async function walkPreemption(cluster) {
  const of = await cluster.namespace('preemption');
  const pods = of(Pod);
  const classes = cluster.client.resource(PriorityClass);
  await classes.create({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'urgent' },
    value: 1000,
  });
  const withLamp = (name, spec) => {
    // Another test drains a node at the same time.
    const tolerations = [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }];
    const made = pod(name, { tolerations, ...spec });
    made.spec.containers[0].resources = { limits: { [LAMP]: '1' } };
    return made;
  };
  const meek = ['meek-1', 'meek-2'];
  for (const name of meek) await pods.create(withLamp(name));
  for (const name of meek) await waitFor(pods, name, runs, PATIENT);
  await pods.create(withLamp('urgent', { priorityClassName: 'urgent' }));
  await waitFor(pods, 'urgent', runs, PATIENT);
  const { items } = await pods.list();
  assert.equal(items.length, 2);
  const [gone] = meek.filter((name) => !items.some(({ metadata }) => metadata.name === name));
  await eventually(async () => {
    const told = await of(Event).list({ fieldSelector: `involvedObject.name=${gone},reason=Preempted` });
    assert.equal(told.items.length, 1);
  }, PATIENT);
}

/** A node that falls silent is not ready, and its pods are told to go. */
export async function walkLostNode(cluster) {
  const of = await cluster.namespace('lost');
  const [pods, nodes] = [of(Pod), cluster.client.resource(Node)];
  const apart = { key: 'apart', operator: 'Exists' };
  await cluster.startNode('n3', { 'register-with-taints': 'apart=yes:NoSchedule', 'node-labels': 'apart=yes' });
  await waitFor(nodes, 'n3', hasCondition('Ready'), PATIENT);
  const impatient = {
    key: 'node.kubernetes.io/unreachable',
    effect: 'NoExecute',
    tolerationSeconds: 1,
    operator: 'Exists',
  };
  await pods.create(pod('sailor', { nodeSelector: { apart: 'yes' }, tolerations: [apart, impatient] }));
  await waitFor(pods, 'sailor', runs, PATIENT);

  await cluster.programs.get('n3').stop('SIGKILL');
  await waitFor(nodes, 'n3', hasCondition('Ready', 'Unknown', 'NodeStatusUnknown'), PATIENT);
  const isLeaving = (object) =>
    object.metadata.deletionTimestamp !== undefined &&
    hasCondition('Ready', 'False')(object) &&
    hasCondition('DisruptionTarget', 'True', 'DeletionByTaintManager')(object);
  await waitFor(pods, 'sailor', isLeaving, PATIENT);
  await nodes.delete('n3');
  await pods.delete('sailor', { gracePeriodSeconds: 0 });
  await waitForDeletion(pods, 'sailor', PATIENT);
}
