import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@binnacle/apimachinery/yaml';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { Event } from '@binnacle/client/kinds/core/v1';
import { eventually, waitFor, waitForDeletion } from '@binnacle/client/testing';
import { testServer } from 'binnacle/testing';

const Foo = { group: 'samplecontroller.k8s.io', version: 'v1alpha1', kind: 'Foo', plural: 'foos', namespaced: true };

/**
 * Runs upstream's sample controller as it was built, with the definition and the example out of its module: a Foo gets its Deployment, its
 * status and its event, an error for a Deployment of another owner, and takes its Deployment with it when it is deleted.
 */
export async function walkSampleController({ binary, module }) {
  const examples = join(module, 'artifacts/examples');
  const example = parseYaml(readFileSync(join(examples, 'example-foo.yaml'))).value;
  const server = await testServer({ definitions: [join(examples, 'crd-status-subresource.yaml')] });
  try {
    const controller = spawn(binary, ['-kubeconfig', await server.kubeconfigFile()], { stdio: 'ignore' });
    const ended = once(controller, 'exit');
    try {
      await walk(server.client, example);
    } finally {
      controller.kill('SIGTERM');
    }
    assert.deepEqual(await ended, [0, null]);
  } finally {
    await server.stop();
  }
}

async function walk(client, example) {
  const [foos, deployments, events] = [Foo, Deployment, Event].map((kind) =>
    client.resource(kind).namespace('default'),
  );
  const eventOf = (name, reason) =>
    eventually(async () => {
      const { items } = await events.list({ fieldSelector: `involvedObject.name=${name},reason=${reason}` });
      assert.equal(items.length, 1, `no event ${reason} of ${name}`);
      return items[0];
    });
  const { name } = example.metadata;

  const foo = await foos.create(example);
  const deployment = await waitFor(deployments, name, () => true);
  assert.equal(deployment.spec.replicas, example.spec.replicas);
  assert.equal(deployment.metadata.ownerReferences[0].uid, foo.metadata.uid);
  assert.equal((await eventOf(name, 'Synced')).type, 'Normal');

  await deployments.status.update({ ...deployment, status: { replicas: 1, readyReplicas: 1, availableReplicas: 1 } });
  await waitFor(foos, name, ({ status }) => status?.availableReplicas === 1);
  await foos.patch(name, { type: 'merge', body: { spec: { replicas: 3 } } });
  await waitFor(deployments, name, ({ spec }) => spec.replicas === 3);

  await deployments.create({ ...deployment, metadata: { name: 'foreign' } });
  await foos.create({ ...example, metadata: { name: 'greedy' }, spec: { deploymentName: 'foreign', replicas: 1 } });
  assert.match((await eventOf('greedy', 'ErrResourceExists')).message, /foreign/);

  await foos.delete(name);
  await waitForDeletion(deployments, name);
}
