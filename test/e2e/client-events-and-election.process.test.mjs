import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { ApiSink, connect, DynamicClient, EventBroadcaster, LeaderElector } from '@binnacle/client';
import { Lease } from '@binnacle/client/kinds/coordination/v1';
import { Event } from '@binnacle/client/kinds/core/v1';
import { start } from 'binnacle';

describe('events and leader election, and a server', { timeout: 600_000 }, () => {
  let server;
  let transport;
  let client;

  before(async () => {
    server = await start({ inMemory: true });
    transport = connect(server.clientConfig);
    client = new DynamicClient(transport);
  });
  after(async () => {
    await transport?.close();
    await server?.stop();
  });

  it('records events of objects with and without a namespace, and counts them', async () => {
    const configMaps = client.resource({ group: '', version: 'v1', resource: 'configmaps' });
    const metadata = { name: 'settings', namespace: 'default' };
    const object = await configMaps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    const namespaces = client.resource({ group: '', version: 'v1', resource: 'namespaces' });
    const namespace = await namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    const errors = [];
    const broadcaster = new EventBroadcaster([new ApiSink(client)], { onError: (error) => errors.push(error) });
    const recorder = broadcaster.recorder({ component: 'tests' });
    recorder.event(object, 'Normal', 'Read', 'the settings were read');
    recorder.event(object, 'Normal', 'Read', 'the settings were read');
    recorder.event(namespace, 'Warning', 'Odd', 'an odd namespace', { annotations: { why: 'test' } });
    await broadcaster.shutDown();
    assert.deepEqual(errors, []);
    const recorded = await client
      .resource(Event)
      .namespace('default')
      .list({ fieldSelector: 'reportingComponent=tests' });
    const [read, odd] = recorded.items.toSorted((a, b) => b.count - a.count);
    assert.equal(recorded.items.length, 2);
    assert.deepEqual(
      [read.count, read.type, read.reason, read.message],
      [2, 'Normal', 'Read', 'the settings were read'],
    );
    assert.deepEqual(read.involvedObject, {
      kind: 'ConfigMap',
      namespace: 'default',
      name: 'settings',
      uid: object.metadata.uid,
      apiVersion: 'v1',
      resourceVersion: object.metadata.resourceVersion,
    });
    assert.deepEqual([odd.involvedObject.name, odd.metadata.annotations.why], ['shop', 'test']);
  });

  it('hands over leadership', async () => {
    const lease = client.resource(Lease).namespace('kube-system');
    const times = { leaseDuration: 5000, renewDeadline: 4000, retryPeriod: 50 };
    const led = [];
    const run = (identity) => {
      const stop = new AbortController();
      const leads = new AbortController();
      const elector = new LeaderElector(client, { namespace: 'kube-system', name: 'tests', identity, ...times });
      const running = elector.run(async (signal) => {
        led.push(identity);
        leads.abort();
        if (!signal.aborted) await once(signal, 'abort');
      }, stop.signal);
      return { stop, running, elector, leading: leads.signal.aborted || once(leads.signal, 'abort') };
    };
    const first = run('a');
    await first.leading;
    const second = run('b');
    first.stop.abort();
    await first.running;
    await second.leading;
    const { spec } = await lease.get('tests');
    assert.deepEqual([spec.holderIdentity, spec.leaseDurationSeconds, spec.leaseTransitions], ['b', 5, 1]);
    second.stop.abort();
    await second.running;
    assert.equal((await lease.get('tests')).spec.holderIdentity, '');
    assert.deepEqual(led, ['a', 'b']);
  });
});
