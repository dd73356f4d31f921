/** kube-proxy's requests, as it makes them in Kubernetes 1.36. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Cluster, checkInformers, NODE, node } from './cluster.mjs';
import { forms } from './forms.mjs';

const SERVICES = '/api/v1/services';
const SLICES = '/apis/discovery.k8s.io/v1/endpointslices';
const services = { labelSelector: '!service.kubernetes.io/service-proxy-name', fieldSelector: 'spec.clusterIP!=None' };
const slices = { labelSelector: '!service.kubernetes.io/headless' };
const own = { fieldSelector: `metadata.name=${NODE}` };

const service = (name, { labels, ...spec } = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels },
  spec: { ports: [{ port: 80 }], ...spec },
});
const slice = (name, labels = {}) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name, labels },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['192.0.2.7'], conditions: { ready: true }, nodeName: NODE }],
  ports: [{ name: '', port: 80 }],
});

for (const form of forms) {
  describe(`kube-proxy in ${form.name}`, { timeout: 600_000 }, () => {
    let cluster;
    let proxy;

    before(async () => {
      cluster = await Cluster.start();
      proxy = cluster.as('proxy', form);
      const { admin } = cluster;
      await admin.create('/api/v1/nodes', node(NODE));
      await admin.create('/api/v1/nodes', node('n2'));
      await admin.create('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', slice('first'));
    });
    after(() => cluster.stop());

    it('informers: services and slices that are its own to serve, its node, the ranges of services', () =>
      checkInformers(proxy, [
        { path: SERVICES, kind: 'v1 Service', selectors: services, holds: ['default/kubernetes'] },
        { path: SLICES, kind: 'discovery.k8s.io/v1 EndpointSlice', selectors: slices, holds: ['default/first'] },
        { path: '/api/v1/nodes', kind: 'v1 Node', selectors: own, holds: [`undefined/${NODE}`] },
        {
          path: '/apis/networking.k8s.io/v1/servicecidrs',
          kind: 'networking.k8s.io/v1 ServiceCIDR',
          holds: ['undefined/kubernetes'],
        },
      ]));

    it('headless services, and those and slices of other proxies, are kept from it', async () => {
      const { admin } = cluster;
      const { watch } = await proxy.informer(SERVICES, { selectors: services });
      const inDefault = '/api/v1/namespaces/default/services';
      await admin.create(inDefault, service('headless', { clusterIP: 'None' }));
      await admin.create(
        inDefault,
        service('foreign', { labels: { 'service.kubernetes.io/service-proxy-name': 'x' } }),
      );
      const { spec } = await admin.create(inDefault, service('served'));
      const added = await watch.next();
      assert.deepEqual([added.type, added.object.metadata.name], ['ADDED', 'served']);
      assert.equal(added.object.spec.clusterIP, spec.clusterIP);
      // A service that another proxy takes over leaves this one.
      const label = { metadata: { labels: { 'service.kubernetes.io/service-proxy-name': 'x' } } };
      await admin.patch(`${inDefault}/served`, label);
      const left = await watch.next();
      assert.deepEqual([left.type, left.object.metadata.name], ['DELETED', 'served']);
      watch.stop();
    });

    it('slices of headless services are kept from it', async () => {
      const { watch } = await proxy.informer(SLICES, { selectors: slices });
      const inDefault = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
      await cluster.admin.create(inDefault, slice('headless', { 'service.kubernetes.io/headless': '' }));
      await cluster.admin.create(inDefault, slice('served', { 'kubernetes.io/service-name': 'served' }));
      const { type, object } = await watch.next();
      assert.deepEqual([type, object.metadata.name], ['ADDED', 'served']);
      assert.deepEqual(object.endpoints, [{ addresses: ['192.0.2.7'], conditions: { ready: true }, nodeName: NODE }]);
      watch.stop();
    });

    it('of nodes it sees its own alone', async () => {
      const { watch } = await proxy.informer('/api/v1/nodes', { selectors: own });
      const label = (name) =>
        cluster.admin.patch(`/api/v1/nodes/${name}`, { metadata: { labels: { zone: form.name } } });
      await label('n2');
      await label(NODE);
      const { type, object } = await watch.next();
      assert.deepEqual([type, object.metadata.name], ['MODIFIED', NODE]);
      watch.stop();
    });

    it('events of its start', async () => {
      const event = {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { name: `${NODE}.${form.name}`, namespace: 'default' },
        eventTime: '2026-01-01T00:00:00.123456Z',
        reportingController: 'kube-proxy',
        reportingInstance: `kube-proxy-${NODE}`,
        action: 'StartKubeProxy',
        reason: 'Starting',
        regarding: { kind: 'Node', name: NODE, uid: NODE },
        type: 'Normal',
      };
      const made = await proxy.create('/apis/events.k8s.io/v1/namespaces/default/events', event);
      assert.equal(made.reason, 'Starting');
      assert.equal(made.eventTime, event.eventTime);
    });

    it('may not read or write anything else', async () => {
      await proxy.get('/api/v1/secrets', { expected: 403 });
      await proxy.patch(`/api/v1/nodes/${NODE}`, { metadata: { labels: { a: 'b' } } }, { expected: 403 });
    });
  });
}
