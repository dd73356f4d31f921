import assert from 'node:assert/strict';
import { Lease } from '@binnacle/client/kinds/coordination/v1';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { waitFor } from '@binnacle/client/testing';
import { PATIENT } from './cluster.mjs';
import { pod } from './objects.mjs';

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
