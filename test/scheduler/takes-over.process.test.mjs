import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Lease } from '@binnacle/client/kinds/coordination/v1';
import { Node, Pod, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { eventually } from '@binnacle/client/testing';
import { testServer } from 'binnacle/testing';

const main = fileURLToPath(new URL('../../packages/binnacle/bundle/cli/main.js', import.meta.url));
/** Generous, for machines that are busy. */
const patience = { timeout: 600_000 };

function spawnScheduler(kubeconfig) {
  const child = spawn(process.execPath, [main, 'scheduler', `--kubeconfig=${kubeconfig}`], { stdio: 'ignore' });
  return {
    /** Resolves with the exit code. */
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      return child.exitCode;
    },
    kill: () => child.kill('SIGKILL'),
  };
}

it('binnacle scheduler binds pods while it holds the lease, and another takes over when it ends', {
  timeout: 600_000,
}, async () => {
  const server = await testServer();
  const running = [];
  try {
    await takeOver(server, (kubeconfig) => {
      const scheduler = spawnScheduler(kubeconfig);
      running.push(scheduler);
      return scheduler;
    });
  } finally {
    for (const scheduler of running) scheduler.kill();
    await server.stop();
  }
});

async function takeOver(server, run) {
  const { client } = server;
  const accounts = client.resource(ServiceAccount).namespace('default');
  await eventually(() => accounts.get('default'), patience);
  const nodes = client.resource(Node);
  await nodes.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
  await nodes.patch('n', { type: 'merge', body: { spec: { taints: null } } });
  const status = { allocatable: { cpu: '1', memory: '1Gi', pods: '9' } };
  await nodes.status.patch('n', { type: 'merge', body: { status } });
  const pods = client.resource(Pod).namespace('default');
  const bound = async (name) => {
    const spec = { containers: [{ name: 'c', image: 'example.com/c' }] };
    await pods.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
    await eventually(async () => assert.equal((await pods.get(name)).spec.nodeName, 'n'), patience);
  };
  const holder = async () => {
    const { spec } = await client.resource(Lease).namespace('kube-system').get('kube-scheduler');
    return spec.holderIdentity;
  };

  const kubeconfig = await server.kubeconfigFile();
  const first = run(kubeconfig);
  await bound('before');
  const before = await holder();
  const second = run(kubeconfig);
  await bound('between');
  assert.equal(await holder(), before);

  assert.equal(await first.stop(), 0);
  await bound('after');
  assert.notEqual(await holder(), before);
  assert.equal(await second.stop(), 0);
}
