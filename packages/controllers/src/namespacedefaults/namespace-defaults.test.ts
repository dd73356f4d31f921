import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigMap, Namespace, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { FakeObjects, type ScriptedAnswer, settle } from '@binnacle/client/testing';
import type { TransportRequest } from '@binnacle/client/transport';
import type { ResourceType, TypedObject } from '@binnacle/client/typed';
import type { CreateLoop } from '../loop/index.js';
import { runLoop } from '../testing/index.js';
import { createRootCertificateLoop, createServiceAccountLoop } from './index.js';

const CERTIFICATE = 'root-ca-certificate-publisher-controller';
const ACCOUNT = 'serviceaccount-controller';

const namespace = (name: string, phase: 'Active' | 'Terminating' = 'Active'): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
  status: { phase },
});

const refusal = (code: number, reason: string, details: object = {}): ScriptedAnswer => ({
  status: code,
  object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: reason, reason, details, code },
});

/** Runs a loop against objects that it writes to; `refuse` may fail its writes. */
function run(create: CreateLoop, refuse: (request: TransportRequest) => ScriptedAnswer | undefined = () => undefined) {
  const objects: FakeObjects = new FakeObjects([Namespace, ServiceAccount, ConfigMap], (request) => {
    const refused = refuse(request);
    if (refused !== undefined) return refused;
    const [, , , , inNamespace, plural] = request.path.split('/');
    const sent = JSON.parse(String(request.body)) as TypedObject;
    const object = { ...sent, metadata: { ...sent.metadata, namespace: inNamespace ?? '' } };
    const resource: ResourceType = plural === ConfigMap.plural ? ConfigMap : ServiceAccount;
    return { object: objects.set(resource, object) };
  });
  const loop = runLoop(create, objects.transport, { certificateAuthority: 'PEM' });
  const writes = () =>
    objects.transport.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
  return { ...loop, objects, writes };
}

/** The behaviour that both loops share. `created` is the request that creates the object of a namespace. */
for (const { name, create, resource, created, object } of [
  {
    name: ACCOUNT,
    create: createServiceAccountLoop,
    resource: ServiceAccount,
    created: (space: string) => `POST /api/v1/namespaces/${space}/serviceaccounts`,
    object: 'default',
  },
  {
    name: CERTIFICATE,
    create: createRootCertificateLoop,
    resource: ConfigMap,
    created: (space: string) => `POST /api/v1/namespaces/${space}/configmaps`,
    object: 'kube-root-ca.crt',
  },
] as const) {
  describe(name, () => {
    it('creates its object in existing and in new namespaces', async () => {
      const { objects, writes, reports, end } = run(create);
      objects.set(Namespace, namespace('old'));
      await settle();
      assert.deepEqual(writes(), [created('old')]);
      objects.set(Namespace, namespace('new'));
      await settle();
      assert.deepEqual(writes().slice(1), [created('new')]);
      objects.set(Namespace, namespace('new'));
      await settle();
      assert.equal(writes().length, 2);
      assert.deepEqual(reports, []);
      await end();
    });

    it('re-creates a deleted object, except in a terminating or deleted namespace', async () => {
      const { objects, writes, end } = run(create);
      objects.set(Namespace, namespace('calm'));
      await settle();
      objects.delete(resource, { name: object, namespace: 'calm' });
      await settle();
      assert.deepEqual(writes(), [created('calm'), created('calm')]);

      objects.set(Namespace, namespace('calm', 'Terminating'));
      objects.set(Namespace, namespace('storm', 'Terminating'));
      await settle();
      objects.delete(resource, { name: object, namespace: 'calm' });
      await settle();
      objects.delete(Namespace, { name: 'storm' });
      await settle();
      assert.equal(writes().length, 2);
      await end();
    });

    it('watches only objects of its name', async () => {
      const { objects, end } = run(create);
      await settle();
      const paths = objects.transport.requests.map(({ path }) => path).filter((path) => path.includes(resource.plural));
      assert.equal(paths.length, 2);
      for (const path of paths) assert.ok(path.includes(`fieldSelector=metadata.name%3D${object}`), path);
      await end();
    });

    for (const [why, answer] of [
      ['is terminating', refusal(403, 'Forbidden', { causes: [{ reason: 'NamespaceTerminating' }] })],
      ['is gone', refusal(404, 'NotFound')],
      ['already has the object', refusal(409, 'AlreadyExists')],
    ] as const) {
      it(`does not retry when the namespace ${why}`, async () => {
        const { objects, clock, reports, writes, end } = run(create, () => answer);
        objects.set(Namespace, namespace('old'));
        await settle();
        await clock.advance(3_600_000);
        assert.deepEqual(writes(), [created('old')]);
        assert.deepEqual(reports, []);
        await end();
      });
    }

    it('retries and reports other refusals', async () => {
      let refusals = 2;
      const { objects, clock, reports, writes, end } = run(create, () =>
        refusals-- > 0 ? refusal(403, 'Forbidden') : undefined,
      );
      objects.set(Namespace, namespace('old'));
      await settle();
      await clock.advance(60_000);
      assert.deepEqual(writes(), [created('old'), created('old'), created('old')]);
      assert.equal(reports.length, 2);
      await end();
    });
  });
}

describe(CERTIFICATE, () => {
  const published = (objects: FakeObjects) => {
    const bodies = objects.transport.requests.filter(({ method }) => method !== 'GET').map(({ body }) => String(body));
    return JSON.parse(bodies.at(-1) ?? 'null') as ConfigMap;
  };

  it('publishes the certificate with a description', async () => {
    const { objects, end } = run(createRootCertificateLoop);
    objects.set(Namespace, namespace('old'));
    await settle();
    const { metadata, data } = published(objects);
    assert.deepEqual(data, { 'ca.crt': 'PEM' });
    assert.match(metadata.annotations?.['kubernetes.io/description'] ?? '', /^Contains a CA bundle/);
    await end();
  });

  const described = { 'kubernetes.io/description': 'mine', own: 'too' };
  for (const [what, data, annotations] of [
    ['another certificate', { 'ca.crt': 'other' }, described],
    ['another key', { 'ca.crt': 'PEM', more: '' }, described],
    ['no data', undefined, described],
    ['no description', { 'ca.crt': 'PEM' }, { own: 'too' }],
  ] as const) {
    it(`corrects a ConfigMap with ${what}`, async () => {
      const { objects, writes, end } = run(createRootCertificateLoop);
      objects.set(Namespace, namespace('old'));
      await settle();
      const metadata = { name: 'kube-root-ca.crt', namespace: 'old', annotations };
      objects.set(ConfigMap, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata,
        ...(data === undefined ? {} : { data }),
      });
      await settle();
      assert.deepEqual(writes().slice(1), ['PUT /api/v1/namespaces/old/configmaps/kube-root-ca.crt']);
      const set = published(objects);
      assert.deepEqual(set.data, { 'ca.crt': 'PEM' });
      assert.equal(set.metadata.annotations?.['own'], 'too');
      assert.match(set.metadata.annotations?.['kubernetes.io/description'] ?? '', /^Contains a CA bundle/);
      assert.ok(set.metadata.resourceVersion !== undefined);
      await end();
    });
  }

  it('tries again a second after a conflict', async () => {
    const { objects, reports, writes, clock, end } = run(createRootCertificateLoop, ({ method }) =>
      method === 'PUT' ? refusal(409, 'Conflict') : undefined,
    );
    objects.set(Namespace, namespace('old'));
    await settle();
    const metadata = { name: 'kube-root-ca.crt', namespace: 'old' };
    objects.set(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {} });
    await settle();
    const write = 'PUT /api/v1/namespaces/old/configmaps/kube-root-ca.crt';
    assert.deepEqual(writes().slice(1), [write]);
    await clock.advance(1000);
    await settle();
    assert.deepEqual([writes().slice(1), reports], [[write, write], []]);
    await end();
  });

  it('keeps another description, and ignores namespaces that it does not know', async () => {
    const { objects, writes, end } = run(createRootCertificateLoop);
    objects.set(Namespace, namespace('old'));
    await settle();
    const metadata = { name: 'kube-root-ca.crt', namespace: 'old', annotations: described };
    objects.set(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'ca.crt': 'PEM' } });
    objects.set(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, namespace: 'lost' } });
    await settle();
    assert.equal(writes().length, 1);
    await end();
  });
});
