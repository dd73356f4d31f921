/** The client in protobuf beside the same client in JSON, against one server: they must not differ in anything but bytes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kindSchema, resources } from '@binnacle/api/table';
import { DynamicClient, isConflict, isExpired, isNotFound, SharedInformerFactory } from '@binnacle/client';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { ConfigMap, Pod, Secret, Service, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';
import { protobufEncoding } from '@binnacle/client/protobuf';
import { testServer } from 'binnacle/testing';
import { definition } from '../custom-resources/definition.mjs';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const labels = { app: 'web' };
const template = {
  metadata: { labels },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'example.com/c',
        env: [{ name: 'GREETING', value: 'grüße' }],
        ports: [{ containerPort: 80 }],
        resources: { requests: { cpu: '250m', memory: '1Gi' } },
        livenessProbe: { httpGet: { path: '/', port: 'http' } },
      },
    ],
    volumes: [{ name: 'v', emptyDir: {} }],
  },
};
const pod = (name) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec: template.spec });
const configMap = (name, data) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas: 0, selector: { matchLabels: labels }, template },
};
/** One of each kind whose objects have something that the two forms write differently. */
const samples = [
  [Pod, pod('p')],
  [Deployment, deployment],
  [ConfigMap, { ...configMap('c', { a: 'ä', constructor: '' }), binaryData: { b: 'AAEC' } }],
  [Secret, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'b' } }],
  [
    Service,
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { selector: labels, ports: [{ port: 80, targetPort: 'http' }] },
    },
  ],
  [
    PodDisruptionBudget,
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { maxUnavailable: '50%', selector: {} },
    },
  ],
];

describe('a client in protobuf', { timeout: 600_000 }, () => {
  let server;
  let binary;
  let plain;
  /** What the client in protobuf was answered in. */
  const answered = [];

  before(async () => {
    server = await testServer({ controllers: '', disableAdmissionPlugins: 'ServiceAccount' });
    const { transport } = server;
    const observed = {
      async send(request, options) {
        const response = await transport.send(request, options);
        answered.push(response.headers['content-type']);
        return response;
      },
    };
    binary = new DynamicClient(observed, { encoding: protobufEncoding(kindSchema) });
    plain = server.client;
  });
  after(async () => {
    await server.stop();
  });

  /** The resource in both. */
  const both = (resource, namespace = 'default') =>
    [binary, plain].map((client) => client.resource(resource).namespace(namespace));

  it('creates, reads, updates, patches and deletes what the other does', async () => {
    answered.length = 0;
    for (const [resource, object] of samples) {
      const [ours, theirs] = both(resource);
      const { name } = object.metadata;
      const created = await ours.create(object, { fieldManager: 'm' });
      assert.deepEqual(created, await theirs.get(name), resource.kind);
      const twin = { ...object, metadata: { ...object.metadata, name: `${name}-twin` } };
      const other = await theirs.create(twin, { fieldManager: 'm' });
      assert.deepEqual(withoutIdentity(created), withoutIdentity(other), resource.kind);
      const changed = { ...created, metadata: { ...created.metadata, labels: { changed: 'yes' } } };
      const updated = await ours.update(changed);
      assert.deepEqual(updated, await theirs.get(name));
      assert.equal(updated.metadata.labels.changed, 'yes');
      await assert.rejects(
        ours.update({ ...changed, metadata: { ...changed.metadata, annotations: { a: 'b' } } }),
        isConflict,
      );
      const body = { metadata: { annotations: { patched: 'yes' } } };
      for (const type of ['merge', 'strategic']) await ours.patch(name, { type, body });
      await ours.apply(
        { ...pick(object), metadata: { name, labels: { applied: 'yes' } }, ...neededBy(object) },
        { fieldManager: 'a', force: true },
      );
      assert.deepEqual(await ours.get(name), await theirs.get(name));
      assert.deepEqual(await ours.list(), await theirs.list());
      assert.deepEqual(await ours.list({ metadataOnly: true }), await theirs.list({ metadataOnly: true }));
      assert.deepEqual(await ours.get(name, { metadataOnly: true }), await theirs.get(name, { metadataOnly: true }));
    }
    for (const [resource, object] of samples) {
      const [ours, theirs] = both(resource);
      const { name } = object.metadata;
      const preconditions = { uid: 'another' };
      await assert.rejects(ours.delete(name, { preconditions }), isConflict);
      const options = { gracePeriodSeconds: 0, propagationPolicy: 'Background' };
      const shape = ({ kind, status, details }) => [kind, typeof status, details?.kind];
      assert.deepEqual(shape(await ours.delete(name, options)), shape(await theirs.delete(`${name}-twin`, options)));
      await assert.rejects(ours.get(name), isNotFound);
    }
    assert.deepEqual(new Set(answered), new Set([PROTOBUF]));
  });

  it('lists every kind as the other does', async () => {
    let compared = 0;
    for (const { group, version, kind, resource, namespaced, listKind } of resources()) {
      if (listKind === undefined) continue;
      const type = { group, version, kind, plural: resource, namespaced };
      let theirs;
      try {
        theirs = await plain.resource(type).list();
      } catch (error) {
        assert.ok(isNotFound(error), String(error));
        continue;
      }
      assert.deepEqual(await binary.resource(type).list(), theirs, `${kind} of ${group}/${version}`);
      compared++;
    }
    assert.ok(compared > 50, String(compared));
  });

  it('uses subresources', async () => {
    const [deployments, theirDeployments] = both(Deployment);
    await deployments.create(deployment);
    const scale = await deployments.scale.get('web');
    assert.deepEqual(scale, await theirDeployments.scale.get('web'));
    await deployments.scale.update({ ...scale, spec: { replicas: 3 } });
    assert.equal((await theirDeployments.get('web')).spec.replicas, 3);
    const current = await deployments.get('web');
    await deployments.status.update({ ...current, status: { replicas: 2 } });
    assert.deepEqual(await deployments.get('web'), await theirDeployments.get('web'));
    const [accounts] = both(ServiceAccount);
    await accounts.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'me' } });
    const { status } = await accounts.token.create('me', { spec: { audiences: ['here'], expirationSeconds: 600 } });
    assert.match(status.token, /^ey/);
    const [pods] = both(Pod);
    await pods.create(pod('evicted'));
    await pods.eviction.create('evicted', { deleteOptions: { gracePeriodSeconds: 0 } });
    await assert.rejects(pods.get('evicted'), isNotFound);
  });

  it('is refused as the other is', async () => {
    const refusals = [
      ['Invalid', (client) => client.create({ ...deployment, metadata: { name: 'Wrong' } })],
      ['BadRequest', (client) => client.create({ ...deployment, metadata: { name: 'b' }, spec: 'no object' })],
      ['BadRequest', (client) => client.create({ ...deployment, odd: 1 }, { fieldValidation: 'Strict' })],
      ['NotFound', (client) => client.get('none')],
      ['BadRequest', (client) => client.list({ labelSelector: '!!' })],
      ['BadRequest', (client) => client.list({ limit: 1, continue: 'nonsense' })],
    ];
    for (const [reason, run] of refusals) {
      const errors = [];
      for (const client of both(Deployment)) {
        const taken = () => assert.fail(`${run} was taken`);
        errors.push(await run(client).then(taken, (error) => error));
      }
      assert.deepEqual(errors[0].status, errors[1].status);
      assert.equal(errors[0].reason, reason, String(run));
    }
  });

  it('lists by pages, and watches by frames', async () => {
    const [ours, theirs] = both(ConfigMap);
    for (let index = 0; index < 30; index++) await ours.create(configMap(`page-${index}`, { index: String(index) }));
    answered.length = 0;
    const [items, others] = await Promise.all([ours, theirs].map((client) => all(client.items({ limit: 7 }))));
    assert.deepEqual(items, others);
    assert.ok(items.length >= 30);
    const { resourceVersion } = (await theirs.list()).metadata;
    const watches = [ours, theirs].map((client) => client.watch({ resourceVersion, allowWatchBookmarks: true }));
    const started = watches.map((watch) => watch.next());
    await ours.create(configMap('watched', { a: 'b' }));
    await theirs.patch('watched', { type: 'merge', body: { data: { a: 'c' } } });
    await ours.delete('watched');
    const first = await Promise.all(started);
    assert.deepEqual(first[0].value, first[1].value);
    for (const type of ['MODIFIED', 'DELETED']) {
      const [event, other] = await Promise.all(watches.map((watch) => watch.next()));
      assert.equal(event.value.type, type);
      assert.deepEqual(event.value, other.value);
    }
    for (const watch of watches) await watch.return();
    assert.ok(answered.includes(`${PROTOBUF};stream=watch`));
    assert.ok(answered.every((type) => type.startsWith(PROTOBUF)));
    const match = { resource: 'configmaps', verb: 'watch' };
    const cut = server.faults.add({ match, action: { type: 'cutWatch', how: 'expire' } });
    await assert.rejects(all(ours.watch({ resourceVersion })), isExpired);
    cut.remove();
  });

  for (const stream of [false, true]) {
    it(`informers hold the same, over ${stream ? 'a stream' : 'a list'} and a watch`, async () => {
      const end = new AbortController();
      const failures = [];
      const onError = (error) => failures.push(error);
      const factories = [binary, plain].map((client) => new SharedInformerFactory(client, { stream, onError }));
      const informers = factories.flatMap((factory) => [
        factory.informer(ConfigMap, { namespace: 'default' }),
        factory.metadata(ConfigMap, { namespace: 'default' }),
      ]);
      const last = `last-${stream}`;
      const heard = informers.map(
        (informer) =>
          new Promise((resolve) => {
            informer.addHandler({ onAdd: ({ metadata }) => metadata.name === last && resolve() });
          }),
      );
      const running = factories.map((factory) => factory.run(end.signal));
      await Promise.all(factories.map((factory) => factory.synced(AbortSignal.timeout(20_000))));
      const [maps] = both(ConfigMap);
      await maps.patch('page-3', { type: 'merge', body: { data: { round: last } } });
      await maps.create(configMap(last, {}));
      await Promise.all(heard);
      const held = informers.map(
        ({ lister }) => new Map(lister.list().map((object) => [object.metadata.name, object])),
      );
      assert.ok(held[0].size > 30);
      assert.deepEqual(held[0], held[2]);
      assert.deepEqual(held[1], held[3]);
      assert.deepEqual(failures, []);
      end.abort();
      await Promise.all(running);
    });
  }

  it('speaks JSON about custom kinds', async () => {
    const widgets = definition({
      plural: 'widgets',
      kind: 'Widget',
      versions: [{ subresources: { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } } }],
    });
    const { schema } = widgets.spec.versions[0];
    const { CustomResourceDefinition } = await import('@binnacle/client/kinds/apiextensions/v1');
    const definitions = binary.resource(CustomResourceDefinition);
    const created = await definitions.create(widgets);
    assert.deepEqual(created.spec.versions[0].schema, schema);
    for await (const { object } of definitions.watch({ fieldSelector: 'metadata.name=widgets.example.com' })) {
      assert.deepEqual(object.spec.versions[0].schema, schema);
      if (object.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) break;
    }
    const Widget = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true };
    const widget = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
      spec: { size: 1, ratio: 1.5, none: null },
    };
    const [ours, theirs] = both(Widget);
    answered.length = 0;
    await ours.create(widget);
    assert.deepEqual(await ours.get('w'), await theirs.get('w'));
    assert.deepEqual(await ours.list(), await theirs.list());
    assert.deepEqual(new Set(answered), new Set(['application/json']));
  });
});

const pick = ({ apiVersion, kind }) => ({ apiVersion, kind });
/** What an apply cannot leave out. */
const neededBy = ({ kind, spec }) => (kind === 'Deployment' || kind === 'Pod' || kind === 'Service' ? { spec } : {});

/** An object without what no two objects share. */
function withoutIdentity({ metadata, ...object }) {
  const { name: _, uid: __, resourceVersion: ___, creationTimestamp: ____, managedFields, ...rest } = metadata;
  const spec =
    object.spec === undefined ? {} : { spec: { ...object.spec, clusterIP: undefined, clusterIPs: undefined } };
  return {
    ...object,
    ...spec,
    metadata: { ...rest, managedFields: managedFields.map(({ time: _____, ...each }) => each) },
  };
}

async function all(values) {
  const collected = [];
  for await (const value of values) collected.push(value);
  return collected;
}
