import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Lease } from '@binnacle/client/kinds/coordination/v1';
import { ConfigMap, Event, Node, Pod } from '@binnacle/client/kinds/core/v1';
import { isNotFound } from '@binnacle/client/rest';
import { NodeCluster } from './nodes.testing.js';

const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;

/** All tests share a cluster, since its start is most of their cost. Each has pods of its own. */
describe('simulated nodes', () => {
  let cluster: NodeCluster;
  before(async () => {
    cluster = await NodeCluster.start(2);
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    assert.deepEqual(cluster.reports, []);
  });
  const pods = () => cluster.client.resource(Pod).namespace('default');
  const path = (name: string) => `/api/v1/namespaces/default/pods/${name}`;
  const writesOf = (name: string) => cluster.writes.filter((write) => write.includes(path(name)));

  it('register, renew their leases every 10 s and report their status every 5 min', async () => {
    const leases = cluster.client.resource(Lease).namespace('kube-node-lease');
    await cluster.until(async () => ((await leases.list()).items.length === 2 ? true : undefined));
    const { items } = await cluster.client.resource(Node).list();
    assert.deepEqual(
      items.map(({ metadata, status }) => [metadata.name, status?.addresses?.[0]?.address, status?.capacity?.['cpu']]),
      [0, 1].map((index) => [`node-${index}`, `172.16.0.${index + 1}`, '1']),
    );
    const [lease] = (await leases.list()).items;
    assert.deepEqual(
      [lease?.spec?.holderIdentity, lease?.spec?.leaseDurationSeconds, lease?.metadata.ownerReferences?.[0]?.uid],
      ['node-0', 40, items[0]?.metadata.uid],
    );
    cluster.writes.length = 0;
    await cluster.clock.advance(630_000);
    const writes = cluster.writes.filter((write) => write.startsWith('system:node:node-1 '));
    const renewals = writes.filter((write) => write.includes('/leases/')).length;
    assert.ok(renewals >= 60 && renewals <= 63, `${renewals} renewals`);
    const others = writes.filter((write) => !write.includes('/leases/'));
    assert.deepEqual(others, Array(2).fill('system:node:node-1 PATCH /api/v1/nodes/node-1/status'));
  });

  it('run a pod with one write of its own node, and are idle then', async () => {
    await cluster.addPod('a');
    await cluster.addPod('b', { nodeName: 'node-1' });
    await cluster.addPod('remote', { nodeName: 'remote' });
    const [a, b] = [await cluster.untilPod('a', isReady), await cluster.untilPod('b', isReady)];
    assert.deepEqual([a.status?.podIP, b.status?.podIP], ['10.128.0.2', '10.128.1.2']);
    await cluster.clock.advance(60_000);
    assert.deepEqual(writesOf('a'), [`system:node:node-0 PUT ${path('a')}/status`]);
    assert.deepEqual(writesOf('b'), [`system:node:node-1 PUT ${path('b')}/status`]);
    assert.deepEqual(writesOf('remote'), []);
  });

  it('remove a deleted pod with two writes, and give its address to another', async () => {
    await cluster.addPod('leaving');
    const { status } = await cluster.untilPod('leaving', isReady);
    cluster.writes.length = 0;
    await pods().delete('leaving');
    await cluster.until(async () => {
      const { items } = await pods().list();
      return items.some(({ metadata }) => metadata.name === 'leaving') ? undefined : true;
    });
    assert.deepEqual(writesOf('leaving'), [
      `system:node:node-0 PUT ${path('leaving')}/status`,
      `system:node:node-0 DELETE ${path('leaving')}`,
    ]);
    await cluster.addPod('coming');
    assert.equal((await cluster.untilPod('coming', isReady)).status?.podIP, status?.podIP);
  });

  it('delete a pod once that a finalizer holds', async () => {
    await cluster.addPod('held');
    await cluster.untilPod('held', isReady);
    await pods().patch('held', { type: 'merge', body: { metadata: { finalizers: ['example.com/hold'] } } });
    await pods().delete('held');
    await cluster.untilPod('held', ({ metadata }) => metadata.deletionGracePeriodSeconds === 0);
    await cluster.clock.advance(30_000);
    assert.equal(writesOf('held').filter((write) => write.includes('DELETE')).length, 1);
    await pods().patch('held', { type: 'merge', body: { metadata: { finalizers: null } } });
    await assert.rejects(pods().get('held'), isNotFound);
  });

  it('reject what does not fit, also when pods arrive together', async () => {
    const half = [{ name: 'c', image: 'img:1', resources: { requests: { cpu: '600m' } } }];
    await Promise.all(['big', 'bigger'].map((name) => cluster.addPod(name, { containers: half })));
    const rejected = await cluster.until(async () => {
      const both = [await pods().get('big'), await pods().get('bigger')];
      return both.some(isReady) ? both.find(({ status }) => status?.phase === 'Failed') : undefined;
    });
    const message = "Node didn't have enough resource: cpu, requested: 600, used: 600, capacity: 1000";
    const { status } = rejected;
    assert.deepEqual([status?.reason, status?.message], ['OutOfcpu', `Pod was rejected: ${message}`]);
    const event = await cluster.until(async () => {
      const { items } = await cluster.client.resource(Event).namespace('default').list();
      return items.find(({ reason }) => reason === 'OutOfcpu');
    });
    assert.deepEqual([event.message, event.source], [message, { component: 'kubelet', host: 'node-0' }]);
  });

  it('hold a container back until its ConfigMap exists', async () => {
    const env = [{ name: 'COLOR', valueFrom: { configMapKeyRef: { name: 'settings', key: 'color' } } }];
    await cluster.addPod('needy', { containers: [{ name: 'c', image: 'img:1', env }] });
    const waiting = await cluster.untilPod('needy', ({ status }) => {
      return status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CreateContainerConfigError';
    });
    assert.equal(waiting.status?.containerStatuses?.[0]?.state?.waiting?.message, 'configmap "settings" not found');
    await cluster.client
      .resource(ConfigMap)
      .namespace('default')
      .create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { color: 'blue' } });
    await cluster.untilPod('needy', isReady);
  });

  it('go on with their pods after a restart, and correct the conditions that others gave the nodes', async () => {
    await cluster.addPod('lasting', { restartPolicy: 'Never' }, { 'binnacle.dev/run-for': '1m' });
    await cluster.untilPod('lasting', isReady);
    await cluster.stopNodes();
    const lost = [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }];
    const nodes = cluster.client.resource(Node);
    await nodes.status.patch('node-0', { type: 'strategic', body: { status: { conditions: lost } } });
    await cluster.clock.advance(120_000);
    cluster.startNodes(2);
    const { status } = await cluster.untilPod('lasting', (pod) => pod.status?.phase === 'Succeeded');
    const { startedAt = '', finishedAt = '' } = status?.containerStatuses?.[0]?.state?.terminated ?? {};
    assert.equal(Date.parse(finishedAt) - Date.parse(startedAt), 60_000);
    await cluster.until(async () => {
      const ready = (await nodes.get('node-0')).status?.conditions?.find(({ type }) => type === 'Ready');
      return ready?.status === 'True' ? true : undefined;
    });
  });
});
