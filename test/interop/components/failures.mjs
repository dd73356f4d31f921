import assert from 'node:assert/strict';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { Lease } from '@binnacle/client/kinds/coordination/v1';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { waitFor } from '@binnacle/client/testing';
import { nodeNames, PATIENT } from './cluster.mjs';
import { hasCondition, hasCounts, pod, workload } from './objects.mjs';

/** A scheduler that is told to end gives its lease to another, which goes on with the work. */
export async function walkSchedulers(cluster) {
  const of = await cluster.namespace('schedulers');
  const leases = cluster.client.resource(Lease).namespace('kube-system');
  const { spec: before } = await leases.get('kube-scheduler');
  await cluster.startScheduler('kube-scheduler-2');
  await cluster.programs.get('kube-scheduler').stop();
  await of(Pod).create(pod('late'));
  await waitFor(of(Pod), 'late', ({ spec }) => spec.nodeName !== undefined, PATIENT);
  const { spec: after } = await leases.get('kube-scheduler');
  assert.notEqual(after.holderIdentity, before.holderIdentity);
  assert.ok(after.leaseTransitions > (before.leaseTransitions ?? 0));
}

/** After a crash of the server everybody goes on as if it had been a moment's silence. */
export async function walkCrash(cluster) {
  await cluster.replaceServer();
  const of = await cluster.namespace('crash');
  const deployments = of(Deployment);
  await deployments.create(workload('Deployment', 'web', { replicas: 2 }));
  await waitFor(deployments, 'web', hasCounts({ availableReplicas: 2 }), PATIENT);
  const [leases, nodes] = [cluster.client.resource(Lease).namespace('kube-node-lease'), cluster.client.resource(Node)];
  for (const name of nodeNames) {
    const { spec: before } = await leases.get(name);
    await waitFor(leases, name, ({ spec }) => spec.renewTime > before.renewTime, PATIENT);
    assert.ok(hasCondition('Ready')(await nodes.get(name)));
  }
  cluster.assertUnbroken();
}
