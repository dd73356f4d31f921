import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseYaml } from '@binnacle/apimachinery/yaml';
import { ControllerManager, controllerOf } from '@binnacle/client';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { Event } from '@binnacle/client/kinds/core/v1';
import { eventually, waitFor, waitForDeletion } from '@binnacle/client/testing';
import { testServer } from 'binnacle/testing';
import { FooV1alpha1 as Foo } from './generated/foos.js';
import { sampleController } from './sample-controller.js';

const fileOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const read = (name: string): unknown => parseYaml(readFileSync(fileOf(name))).value;
const example = read('foo.yaml') as Foo;

/** An in-memory API server in this process, with the controller running. Deployments stay as this test writes them. */
async function setUp() {
  const server = await testServer({ definitions: [fileOf('crd.yaml')] });
  const { client } = server;

  const reports: string[] = [];
  const manager = new ControllerManager({ client, report: (error) => reports.push(String(error)) });
  manager.add(sampleController());
  const stop = new AbortController();
  const running = manager.run(stop.signal);

  return {
    foos: client.resource(Foo).namespace('default'),
    deployments: client.resource(Deployment).namespace('default'),
    events: client.resource(Event).namespace('default'),
    reports,
    async tearDown() {
      stop.abort();
      await running;
      await server.stop();
    },
  };
}

describe('the sample controller', { timeout: 600_000 }, () => {
  let cluster: Awaited<ReturnType<typeof setUp>>;
  before(async () => {
    cluster = await setUp();
  });
  after(() => cluster.tearDown());

  const eventOf = (foo: string, reason: string) =>
    eventually(async () => {
      const fieldSelector = `involvedObject.name=${foo},reason=${reason}`;
      const [event] = (await cluster.events.list({ fieldSelector })).items;
      assert.ok(event, `no event ${reason} of ${foo}`);
      return event;
    });

  it('creates the Deployment of a Foo', async () => {
    const foo = await cluster.foos.create(example);
    const deployment = await waitFor(cluster.deployments, 'example-foo', () => true);
    assert.equal(deployment.spec?.replicas, 1);
    assert.equal(controllerOf(deployment)?.uid, foo.metadata.uid);
    assert.equal((await eventOf('example-foo', 'Synced')).message, 'Foo synced successfully');
  });

  it('restores the replicas of a Foo', async () => {
    await cluster.foos.patch('example-foo', { type: 'merge', body: { spec: { replicas: 3 } } });
    await waitFor(cluster.deployments, 'example-foo', ({ spec }) => spec?.replicas === 3);
    await cluster.deployments.patch('example-foo', { type: 'merge', body: { spec: { replicas: 9 } } });
    await waitFor(cluster.deployments, 'example-foo', ({ spec }) => spec?.replicas === 3);
  });

  it('reports the available replicas', async () => {
    const deployment = await cluster.deployments.get('example-foo');
    const status = { replicas: 3, readyReplicas: 2, availableReplicas: 2 };
    await cluster.deployments.status.update({ ...deployment, status });
    await waitFor(cluster.foos, 'example-foo', ({ status }) => status?.availableReplicas === 2);
  });

  it('leaves a Deployment of another owner alone and records a warning', async () => {
    const { spec } = await cluster.deployments.get('example-foo');
    await cluster.deployments.create({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'taken' },
      ...(spec === undefined ? {} : { spec }),
    });
    await cluster.foos.create({ ...example, metadata: { name: 'taken' }, spec: { deploymentName: 'taken' } });
    const { type, message } = await eventOf('taken', 'ErrResourceExists');
    assert.equal(type, 'Warning');
    assert.equal(message, 'Deployment taken already exists and is not controlled by this Foo');
    assert.equal((await cluster.deployments.get('taken')).spec?.replicas, 3);
    await eventually(() => assert.match(cluster.reports.join(), /reconcile of default\/taken failed/));
  });

  it('has its Deployment deleted with the Foo', async () => {
    await cluster.foos.delete('example-foo');
    await waitForDeletion(cluster.deployments, 'example-foo');
  });
});
