/** The first screen of the README, with the command and a kubectl: a cluster in which pods run, roll out, move and end. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from '@binnacle/client/testing';
import { Kubectl } from './kubectl.mjs';
import { findKubectls } from './kubectl-clients.mjs';

const main = fileURLToPath(new URL('../../packages/binnacle/bundle/cli/main.js', import.meta.url));
const client = findKubectls().at(-1);
const skip = client === undefined ? 'no kubectl on this machine' : false;
/** Generous, for machines that are busy. */
const PATIENT = '--timeout=60s';

describe('the first screen', { skip, timeout: 300_000 }, () => {
  let folder;
  let server;
  let kubectl;
  const shop = (...args) => kubectl.run([...args, '-n', 'shop']);
  const pods = async () => (await kubectl.json(['get', 'pods', '-n', 'shop'])).items;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'first-screen-'));
    const data = join(folder, 'data');
    server = spawn(process.execPath, [main, 'serve', '--nodes', '3', '--secure-port=0', '--data-dir', data], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(server.stdout, 'data');
    kubectl = new Kubectl({ ...client, kubeconfig: join(data, 'kubeconfig'), folder });
  });
  after(async () => {
    if (server?.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('runs a deployment', async (t) => {
    await kubectl.run(['create', 'namespace', 'shop']);
    await shop('create', 'deployment', 'web', '--image=nginx', '--replicas=3');
    await shop('rollout', 'status', 'deployment/web', PATIENT);
    const running = await pods();
    assert.deepEqual(
      running.map(({ status }) => status.phase),
      ['Running', 'Running', 'Running'],
    );
    assert.equal(new Set(running.map(({ spec }) => spec.nodeName)).size, 3, 'the pods share nodes');
    const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1];
    t.diagnostic(`memory with three running pods: ${Math.round(Number(memory) / 1024)} MB`);
  });

  it('has logs, which say that the container is simulated', async () => {
    assert.match(await shop('logs', 'deployment/web'), /^This container is simulated: /);
  });

  it('has a service, whose endpoints are resolved', async () => {
    await shop('expose', 'deployment', 'web', '--port=80', '--target-port=8080');
    const args = [main, 'resolve', 'svc/web:80', '-n', 'shop', '--kubeconfig', kubectl.environment.KUBECONFIG];
    await eventually(
      async () => {
        const { stdout } = await promisify(execFile)(process.execPath, args);
        assert.match(stdout, /^(?:10\.128\.\d+\.\d+:8080\n){3}$/);
      },
      { timeout: 600_000 },
    );
  });

  it('rolls out another image', async () => {
    await shop('set', 'image', 'deployment/web', 'nginx=nginx:2');
    await shop('rollout', 'status', 'deployment/web', PATIENT);
    await eventually(
      async () => {
        const images = (await pods()).map(({ spec }) => spec.containers[0].image);
        assert.deepEqual(images, ['nginx:2', 'nginx:2', 'nginx:2']);
      },
      { timeout: 600_000 },
    );
  });

  it('drains a node, and its pods run on the others', async () => {
    await kubectl.prints(['drain', 'node-0', '--ignore-daemonsets', PATIENT], /^node\/node-0 (drained|evicted)$/m);
    await shop('rollout', 'status', 'deployment/web', PATIENT);
    const nodes = (await pods()).map(({ spec }) => spec.nodeName);
    assert.equal(nodes.length, 3);
    assert.ok(!nodes.includes('node-0'), `a pod is on the drained node: ${nodes.join(' ')}`);
    await kubectl.run(['uncordon', 'node-0']);
  });

  it('deletes the namespace, and nothing is left', async () => {
    await kubectl.prints(['delete', 'namespace', 'shop', PATIENT], /^namespace "shop" deleted/m);
    assert.equal(await kubectl.run(['get', 'deployments,replicasets,pods', '-A', '-o', 'name']), '');
    await kubectl.run(['create', 'namespace', 'shop']);
    assert.equal(await shop('get', 'deployments,replicasets,pods,events', '-o', 'name'), '');
  });
});
