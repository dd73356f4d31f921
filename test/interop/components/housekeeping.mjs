import assert from 'node:assert/strict';
import { connect, DynamicClient } from '@binnacle/client';
import { CustomResourceDefinition } from '@binnacle/client/kinds/apiextensions/v1';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { SelfSubjectReview } from '@binnacle/client/kinds/authentication/v1';
import { ConfigMap, Event, Namespace, Pod, ResourceQuota, Secret, Service } from '@binnacle/client/kinds/core/v1';
import { isForbidden } from '@binnacle/client/rest';
import { eventually, waitFor, waitForDeletion } from '@binnacle/client/testing';
import { PATIENT } from './cluster.mjs';
import { hasCondition, hasCounts, pod, workload } from './objects.mjs';

/** A namespace goes with all that is in it, objects of kinds defined here and with finalizers of their own as well. */
export async function walkNamespace(cluster) {
  const of = await cluster.namespace('short-lived');
  await defineLamps(cluster);
  await of(Deployment).create(workload('Deployment', 'web', { replicas: 2 }));
  await waitFor(of(Deployment), 'web', hasCounts({ availableReplicas: 2 }), PATIENT);
  await of(Lamp).create({ ...lamp('east'), metadata: { name: 'east', finalizers: ['example.com/hold'] } });
  await of(Service).create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  const namespaces = cluster.client.resource(Namespace);
  await namespaces.delete('short-lived');
  await waitFor(namespaces, 'short-lived', hasCondition('NamespaceFinalizersRemaining'), PATIENT);
  await of(Lamp).patch('east', { type: 'merge', body: { metadata: { finalizers: null } } });
  await waitForDeletion(namespaces, 'short-lived', PATIENT);
  for (const kind of [Deployment, Pod, Lamp, Service]) assert.deepEqual((await of(kind).list()).items, []);
}

/** What an object owns goes with it, and what it owns only in part stays. */
export async function walkGarbage(cluster) {
  const of = await cluster.namespace('garbage');
  await defineLamps(cluster);
  const [lamps, maps] = [Lamp, ConfigMap].map(of);
  const owners = await Promise.all(['north', 'south'].map((name) => lamps.create(lamp(name))));
  const references = owners.map(({ metadata: { name, uid } }) => ({
    apiVersion: 'example.com/v1',
    kind: 'Lamp',
    name,
    uid,
  }));
  const map = (name, ownerReferences) =>
    maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ownerReferences } });
  await map('of-north', references.slice(0, 1));
  await map('of-both', references);
  await lamps.delete('north');
  await waitForDeletion(maps, 'of-north', PATIENT);
  const rest = await waitFor(maps, 'of-both', ({ metadata }) => metadata.ownerReferences.length === 1, PATIENT);
  assert.equal(rest.metadata.ownerReferences[0].name, 'south');
}

/** A quota counts what is there, and what is more than it allows is refused. */
export async function walkQuota(cluster) {
  const of = await cluster.namespace('quota');
  const [quotas, pods] = [ResourceQuota, Pod].map(of);
  await quotas.create({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'few' },
    spec: { hard: { pods: '2', 'count/lamps.example.com': '1' } },
  });
  const counts = (used) => waitFor(quotas, 'few', ({ status }) => status?.used?.pods === used, PATIENT);
  await counts('0');
  await pods.create(pod('a'));
  await pods.create(pod('b'));
  await counts('2');
  await assert.rejects(pods.create(pod('c')), isForbidden);
  await pods.delete('a');
  await counts('1');
  await pods.create(pod('c'));
}

/** Pods have tokens of their own, and accounts may have one in a Secret. */
export async function walkAccounts(cluster) {
  const of = await cluster.namespace('accounts');
  const [pods, secrets, maps] = [Pod, Secret, ConfigMap].map(of);
  await pods.create(pod('user'));
  const { spec } = await waitFor(pods, 'user', hasCondition('Ready'), PATIENT);
  assert.ok(spec.volumes.some(({ projected }) => projected?.sources.some((source) => source.serviceAccountToken)));
  const { data } = await waitFor(maps, 'kube-root-ca.crt', () => true, PATIENT);
  assert.equal(data['ca.crt'].trim(), cluster.certificateAuthority.trim());
  await secrets.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'robot', annotations: { 'kubernetes.io/service-account.name': 'default' } },
    type: 'kubernetes.io/service-account-token',
  });
  const secret = await waitFor(secrets, 'robot', ({ data }) => data?.token !== undefined, PATIENT);
  const token = Buffer.from(secret.data.token, 'base64').toString();
  assert.equal(await whoIs(cluster, token), 'system:serviceaccount:accounts:default');
  await waitFor(secrets, 'robot', ({ metadata }) => metadata.labels?.['kubernetes.io/legacy-token-last-used'], PATIENT);
}

async function whoIs({ url, certificateAuthority }, token) {
  const transport = connect({ server: url, certificateAuthority, token });
  try {
    const reviews = new DynamicClient(transport).resource(SelfSubjectReview);
    const { status } = await reviews.create({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
    return status.userInfo.username;
  } finally {
    await transport.close();
  }
}

/** Who did what is told in events: of both kinds of recorders. */
export async function walkEvents(cluster) {
  const of = await cluster.namespace('events');
  await of(Pod).create(pod('seen'));
  await of(Pod).create(pod('never', { nodeSelector: { nobody: 'has-it' } }));
  const told = (name, reason) =>
    eventually(async () => {
      const { items } = await of(Event).list({ fieldSelector: `involvedObject.name=${name},reason=${reason}` });
      assert.equal(items.length, 1, `${reason} of ${name}`);
    }, PATIENT);
  await told('seen', 'Scheduled');
  await told('never', 'FailedScheduling');
}

const Lamp = { group: 'example.com', version: 'v1', kind: 'Lamp', plural: 'lamps', namespaced: true };
const lamp = (name) => ({ apiVersion: 'example.com/v1', kind: 'Lamp', metadata: { name } });

async function defineLamps({ client }) {
  const definitions = client.resource(CustomResourceDefinition);
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await definitions.apply(
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'lamps.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'lamps', kind: 'Lamp' },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    },
    { fieldManager: 'test' },
  );
  await waitFor(definitions, 'lamps.example.com', hasCondition('Established'), PATIENT);
}
