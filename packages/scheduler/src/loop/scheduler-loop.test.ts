import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { Event, Node, Pod, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { PriorityClass } from '@binnacle/client/kinds/scheduling/v1';
import { ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import { success, unschedulable } from '../framework/index.js';
import type { OwnPlugins } from '../config/index.js';
import { ScheduledCluster } from './scheduler.testing.js';

const isBound = ({ spec }: Pod) => spec?.nodeName !== undefined;
const conditionOf = ({ status }: Pod) => status?.conditions?.find(({ type }) => type === 'PodScheduled');
const isRejected = (pod: Pod) => conditionOf(pod)?.status === 'False';

async function start(...nodes: readonly string[]): Promise<ScheduledCluster> {
  return startWith('', {}, nodes);
}

async function startWith(
  configuration: string,
  plugins: OwnPlugins,
  nodes: readonly string[],
  clock = new VirtualClock(),
): Promise<ScheduledCluster> {
  const cluster = await ScheduledCluster.start(configuration, plugins, clock);
  await cluster.client
    .resource(ServiceAccount)
    .namespace('default')
    .create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
  for (const name of nodes) await cluster.addNode(name);
  return cluster;
}

/** From some moment on, each look at it takes longer than a turn of the scheduler may. */
class SlowClock extends VirtualClock {
  isSlow = false;
  #lost = 0;

  override monotonic(): number {
    if (this.isSlow) this.#lost += 10;
    return super.monotonic() + this.#lost;
  }
}

/** Events are written in their own time. */
const objectWrites = ({ writes }: ScheduledCluster) => writes.filter((write) => !write.includes('/events'));

/** Lets time pass until the event `object | reason | message` is there. */
async function assertEvent(
  { client, clock }: ScheduledCluster,
  expected: string,
  component = 'default-scheduler',
): Promise<void> {
  const seen = new Set<string>();
  for (let step = 0; step < 1000; step++) {
    const { items } = await client.resource(Event).namespace('default').list();
    for (const { involvedObject, reason, message, source } of items) {
      seen.add([source?.component, involvedObject.name, reason, message].join(' | '));
    }
    if (seen.has(`${component} | ${expected}`)) return;
    await clock.advance(100);
  }
  assert.fail(`no event ${expected} among ${[...seen].join('; ')}`);
}

describe('the scheduler', () => {
  it('binds pods to nodes with one write each, and is idle then', async () => {
    await using cluster = await start('n0', 'n1');
    await cluster.addPod('a', { requests: { cpu: '1500m' } });
    await cluster.addPod('b', { requests: { cpu: '1500m' } });
    const pods = [await cluster.until('a', isBound), await cluster.until('b', isBound)];
    assert.deepEqual(new Set(pods.map(({ spec }) => spec?.nodeName)), new Set(['n0', 'n1']));
    assert.deepEqual(
      objectWrites(cluster),
      ['a', 'b'].map((name) => `POST /api/v1/namespaces/default/pods/${name}/binding`),
    );
    const message = `Successfully assigned default/a to ${pods[0]?.spec?.nodeName}`;
    await assertEvent(cluster, `a | Scheduled | ${message}`);
    await cluster.clock.advance(3_600_000);
    assert.deepEqual([objectWrites(cluster).length, cluster.reports], [2, []]);
  });

  it('says why a pod fits nowhere, and tries again when a node changes', async () => {
    await using cluster = await start();
    await cluster.addNode('n0', { unschedulable: true });
    await cluster.addPod('p');
    const message =
      '0/1 nodes are available: 1 node(s) were unschedulable. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';
    const condition = conditionOf(await cluster.until('p', isRejected));
    assert.deepEqual([condition?.reason, condition?.message], ['Unschedulable', message]);
    await assertEvent(cluster, `p | FailedScheduling | ${message}`);
    await cluster.client
      .resource(Node)
      .patch('n0', { type: 'merge', body: { spec: { unschedulable: null, taints: null } } });
    assert.equal((await cluster.until('p', isBound)).spec?.nodeName, 'n0');
  });

  it('does not try a rejected pod again because its deletion starts', async () => {
    await using cluster = await start();
    await cluster.addNode('n0', { unschedulable: true });
    await cluster.addPod('p');
    await cluster.until('p', isRejected);
    const pods = cluster.client.resource(Pod).namespace('default');
    await pods.patch('p', { type: 'merge', body: { metadata: { finalizers: ['example.com/f'] } } });
    await pods.delete('p');
    await cluster.until('p', ({ metadata }) => metadata.deletionTimestamp !== undefined);
    await cluster.clock.advance(60_000);
    const { items } = await cluster.client.resource(Event).namespace('default').list();
    assert.deepEqual(
      items.map(({ message = '' }) => message.split('.')[0]),
      ['0/1 nodes are available: 1 node(s) were unschedulable'],
    );
  });

  it('leaves pods with gates and pods of other schedulers alone', async () => {
    await using cluster = await start('n0');
    await cluster.addPod('gated', { spec: { schedulingGates: [{ name: 'example.com/g' }] } });
    await cluster.addPod('other', { spec: { schedulerName: 'other' } });
    await cluster.clock.advance(60_000);
    assert.deepEqual(cluster.writes, []);
    const body = { spec: { schedulingGates: null } };
    await cluster.client.resource(Pod).namespace('default').patch('gated', { type: 'merge', body });
    await cluster.until('gated', isBound);
  });

  it('holds a pod back until its resource claim exists', async () => {
    await using cluster = await start('n0');
    await cluster.addPod('p', { spec: { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] } });
    await cluster.clock.advance(600_000);
    assert.deepEqual(cluster.writes, []);
    const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu' } }];
    await cluster.client
      .resource(ResourceClaim)
      .namespace('default')
      .create({
        apiVersion: 'resource.k8s.io/v1',
        kind: 'ResourceClaim',
        metadata: { name: 'gpu' },
        spec: { devices: { requests } },
      });
    const { message = '' } = conditionOf(await cluster.until('p', isRejected)) ?? {};
    assert.match(message, /request r: device class gpu does not exist/);
  });

  it('ends pods of lower priority, and takes their place', async () => {
    await using cluster = await start('n0');
    await cluster.client
      .resource(PriorityClass)
      .create({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 1000 });
    await cluster.addPod('low', { requests: { cpu: '1500m' }, spec: { terminationGracePeriodSeconds: 30 } });
    await cluster.until('low', isBound);
    const { metadata } = await cluster.addPod('p', { requests: { cpu: '1' }, spec: { priorityClassName: 'high' } });
    const nominated = await cluster.until('p', ({ status }) => status?.nominatedNodeName === 'n0');
    assert.equal(conditionOf(nominated)?.message, '0/1 nodes are available: 1 Insufficient cpu.');
    const victim = await cluster.until('low', ({ metadata }) => metadata.deletionTimestamp !== undefined);
    const target = victim.status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
    assert.deepEqual(
      [target?.reason, target?.message],
      ['PreemptionByScheduler', 'default-scheduler: preempting to accommodate a higher priority pod'],
    );
    const text = `low | Preempted | Preempted by pod ${metadata.uid} on node n0`;
    await assertEvent(cluster, text);
    await cluster.client.resource(Pod).namespace('default').delete('low', { gracePeriodSeconds: 0 });
    assert.equal((await cluster.until('p', isBound)).spec?.nodeName, 'n0');
  });

  it('schedules each pod with its profile, and with plugins of our own', async () => {
    const configuration = `profiles:
- schedulerName: default-scheduler
- schedulerName: packing
  plugins: {multiPoint: {enabled: [{name: OnlyLast}]}}
`;
    const plugins: OwnPlugins = {
      OnlyLast: () => ({
        name: 'OnlyLast',
        filter: (_, { name }) => (name === 'n2' ? success : unschedulable('not the last')),
      }),
    };
    await using cluster = await startWith(configuration, plugins, ['n0', 'n1', 'n2']);
    for (const name of ['a', 'b', 'c']) await cluster.addPod(name, { spec: { schedulerName: 'packing' } });
    for (const name of ['a', 'b', 'c']) assert.equal((await cluster.until(name, isBound)).spec?.nodeName, 'n2');
    await assertEvent(cluster, 'a | Scheduled | Successfully assigned default/a to n2', 'packing');
    await cluster.addPod('d', { spec: { schedulerName: 'unknown' } });
    await cluster.addPod('e');
    await cluster.until('e', isBound);
    assert.equal(objectWrites(cluster).length, 4);
  });

  it('tries a pod although changes keep coming while others are compared with them', async () => {
    const clock = new SlowClock();
    let touch = (): void => undefined;
    const isWorthTrying = (): boolean => {
      touch();
      return false;
    };
    const plugins: OwnPlugins = {
      Choosy: () => ({
        name: 'Choosy',
        interests: [{ resource: 'Node', actions: ['Update'], isWorthTrying }],
        filter: ({ pod }) => (pod.name.startsWith('waiting') ? unschedulable('not this one') : success),
      }),
    };
    const configuration = 'profiles: [{plugins: {multiPoint: {enabled: [{name: Choosy}]}}}]';
    await using cluster = await startWith(configuration, plugins, ['n0'], clock);
    const waiting = Array.from({ length: 40 }, (_, index) => `waiting-${index}`);
    for (const name of waiting) await cluster.addPod(name);
    for (const name of waiting) await cluster.until(name, isRejected);
    const nodes = cluster.client.resource(Node);
    let [changes, isChanging] = [0, false];
    touch = () => {
      if (isChanging) return;
      isChanging = true;
      const labels = { change: String(++changes) };
      void nodes.patch('n0', { type: 'merge', body: { metadata: { labels } } }).finally(() => (isChanging = false));
    };
    clock.isSlow = true;
    touch();
    await cluster.until('waiting-0', () => changes > 3);
    await cluster.addPod('urgent');
    await cluster.until('urgent', isBound);
    const before = changes;
    await cluster.until('urgent', () => changes > before);
  });
});
