import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from '@binnacle/client/testing';
import { start } from 'binnacle';
import { Kubectl } from './kubectl.mjs';
import { findKubectls } from './kubectl-clients.mjs';

const main = fileURLToPath(new URL('../../packages/binnacle/bundle/cli/main.js', import.meta.url));
const client = findKubectls().at(-1);
const options = { timeout: 600_000, skip: client === undefined ? 'no kubectl on this machine' : false };
/** Generous, for busy machines: a failing check waits this long, a passing one does not. */
const patience = { timeout: 600_000 };

describe('control loops', () => {
  let folder;
  const servers = [];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'loops-'));
  });
  after(async () => {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A server with a kubectl. */
  async function serve(name, startOptions = {}) {
    const kubeconfigFile = join(folder, `${name}.kubeconfig`);
    const server = await start({ inMemory: true, kubeconfigFile, ...startOptions });
    servers.push(server);
    const kubectl = new Kubectl({ ...client, kubeconfig: kubeconfigFile, folder: join(folder, name) });
    return { server, kubectl };
  }

  const account = (kubectl, namespace) => kubectl.json(['get', 'serviceaccount', 'default', '-n', namespace]);
  const certificate = (kubectl, namespace) => kubectl.json(['get', 'configmap', 'kube-root-ca.crt', '-n', namespace]);

  it('a new namespace gets the default account and the root certificate, and can run pods', options, async () => {
    const { server, kubectl } = await serve('default');
    await kubectl.run(['create', 'namespace', 'fresh']);
    const first = await eventually(() => account(kubectl, 'fresh'), patience);
    await kubectl.prints(['run', 'pod', '--image=nginx', '-n', 'fresh'], /^pod\/pod created$/m);
    const pod = await kubectl.json(['get', 'pod', 'pod', '-n', 'fresh']);
    assert.equal(pod.spec.serviceAccountName, 'default');
    const published = await eventually(() => certificate(kubectl, 'fresh'), patience);
    assert.deepEqual(published.data, { 'ca.crt': server.clientConfig.certificateAuthority });
    for (const namespace of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
      await eventually(() => Promise.all([account(kubectl, namespace), certificate(kubectl, namespace)]), patience);
    }

    await kubectl.run(['delete', 'serviceaccount', 'default', '-n', 'fresh']);
    const second = await eventually(() => account(kubectl, 'fresh'), patience);
    assert.notEqual(second.metadata.uid, first.metadata.uid);
    const path = '/api/v1/namespaces/fresh/configmaps/kube-root-ca.crt';
    await kubectl.merge(path, { data: { 'ca.crt': 'forged', more: '' } });
    await eventually(
      async () => assert.deepEqual((await certificate(kubectl, 'fresh')).data, published.data),
      patience,
    );
    const { metadata } = await kubectl.request('GET', path);
    const owner = metadata.managedFields.find(({ fieldsV1 }) => fieldsV1['f:data']?.['f:ca.crt'] !== undefined);
    assert.equal(owner.manager, 'kube-controller-manager');
  });

  it('a deleted namespace is removed with its content', options, async () => {
    const { kubectl } = await serve('namespaces');
    await kubectl.run(['create', 'namespace', 'doomed']);
    await eventually(() => account(kubectl, 'doomed'), patience);
    await kubectl.run(['create', 'deployment', 'web', '--image=nginx', '-n', 'doomed']);
    await kubectl.run(['run', 'pod', '--image=nginx', '-n', 'doomed']);
    await kubectl.prints(['delete', 'namespace', 'doomed', '--timeout=30s'], /^namespace "doomed" deleted/m);
    assert.match(await kubectl.fails(['get', 'namespace', 'doomed']), /namespaces "doomed" not found/);
    await kubectl.run(['create', 'namespace', 'doomed']);
    assert.equal(await kubectl.run(['get', 'deployments,pods', '-n', 'doomed', '-o', 'name']), '');
  });

  it('dependents are deleted after their owner, before it, or orphaned', options, async () => {
    // The loop of Deployments would release ReplicaSets whose labels it does not select.
    const { kubectl } = await serve('owners', { controllers: '*,-deployment,-replicaset' });
    const inDefault = ['-n', 'default', '-o', 'name'];
    /** An owner with a dependent that blocks its deletion. */
    async function own(name) {
      await kubectl.run(['create', 'deployment', name, '--image=nginx']);
      const { metadata, spec } = await kubectl.json(['get', 'deployment', name]);
      const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name, uid: metadata.uid };
      await kubectl.request('POST', '/apis/apps/v1/namespaces/default/replicasets', {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: { name, ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }] },
        spec,
      });
    }
    for (const name of ['after', 'before', 'stays']) await own(name);

    await kubectl.run(['delete', 'deployment', 'after', '--timeout=30s']);
    await eventually(async () => {
      assert.ok(!(await kubectl.run(['get', 'rs', ...inDefault])).includes('/after\n'));
    }, patience);

    await kubectl.run(['delete', 'deployment', 'before', '--cascade=foreground', '--timeout=30s']);
    assert.equal(await kubectl.run(['get', 'rs', ...inDefault]), 'replicaset.apps/stays\n');

    await kubectl.run(['delete', 'deployment', 'stays', '--cascade=orphan', '--timeout=30s']);
    assert.equal(await kubectl.run(['get', 'deployments', ...inDefault]), '');
    assert.equal((await kubectl.json(['get', 'rs', 'stays'])).metadata.ownerReferences, undefined);
  });

  it('with --controllers= none run in the server, and a separate manager runs them', options, async () => {
    const { kubectl } = await serve('none', { controllers: '' });
    const { kubectl: other } = await serve('some', { controllers: '*,-root-ca-cert-publisher' });
    for (const each of [kubectl, other]) await each.run(['create', 'namespace', 'fresh']);
    // By now, the server would have done the same if it ran control loops.
    await eventually(() => account(other, 'fresh'), patience);
    const empty = { code: 0, signal: null, stdout: '' };
    // The server creates its own objects in one namespace only.
    const anywhere = ['-A', '--field-selector=metadata.namespace!=kube-system', '-o', 'name'];
    for (const kind of ['serviceaccounts', 'configmaps']) {
      const { stderr: _, ...result } = await kubectl.start(['get', kind, ...anywhere]).ended;
      assert.deepEqual(result, empty);
    }
    assert.equal(await other.run(['get', 'configmaps', ...anywhere]), '');
    await kubectl.run(['delete', 'namespace', 'fresh', '--wait=false']);
    await other.run(['delete', 'namespace', 'fresh', '--timeout=30s']);
    await kubectl.prints(['get', 'namespace', 'fresh'], /^fresh +Terminating /m);
    await kubectl.run(['create', 'namespace', 'next']);
    assert.match(
      await kubectl.fails(['run', 'pod', '--image=nginx', '-n', 'next']),
      /pods "pod" is forbidden: error looking up service account next\/default/,
    );

    const kubeconfig = join(folder, 'none.kubeconfig');
    const manager = spawn(process.execPath, [main, 'controller-manager', '--kubeconfig', kubeconfig], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [output, problem] = ['', ''];
    manager.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    manager.stderr.setEncoding('utf8').on('data', (text) => (problem += text));
    const ended = once(manager, 'close');
    try {
      await eventually(() => Promise.all([account(kubectl, 'next'), certificate(kubectl, 'next')]), patience);
      await kubectl.run(['wait', '--for=delete', 'namespace/fresh', '--timeout=30s']);
      const lease = ['get', 'lease', 'kube-controller-manager', '-n', 'kube-system'];
      assert.notEqual((await kubectl.json(lease)).spec.holderIdentity, '');
      manager.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
      assert.equal((await kubectl.json(lease)).spec.holderIdentity, '');
    } finally {
      manager.kill('SIGKILL');
    }
    assert.match(output, /^Running .*serviceaccount-controller.* for https:\/\/127\.0\.0\.1:\d+\n$/);
    assert.equal(problem, '');
  });

  it('--use-service-account-credentials makes each loop act with the rights of its own account', options, async () => {
    const { kubectl } = await serve('accounts', { controllers: '' });
    const binding = 'system:controller:root-ca-cert-publisher';
    await kubectl.run(['delete', 'clusterrolebinding', binding]);
    const kubeconfig = ['--kubeconfig', join(folder, 'accounts.kubeconfig')];
    const chosen = ['--controllers=serviceaccount-controller,root-ca-cert-publisher', '--leader-elect=false'];
    const command = [main, 'controller-manager', ...kubeconfig, ...chosen, '--use-service-account-credentials'];
    const manager = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'pipe'] });
    let problem = '';
    manager.stderr.setEncoding('utf8').on('data', (text) => (problem += text));
    const ended = once(manager, 'close');
    try {
      await eventually(() => account(kubectl, 'default'), patience);
      for (const name of ['service-account-controller', 'root-ca-cert-publisher']) {
        await eventually(() => kubectl.json(['get', 'serviceaccount', name, '-n', 'kube-system']), patience);
      }
      const user = 'system:serviceaccount:kube-system:root-ca-cert-publisher';
      await eventually(() => assert.match(problem, new RegExp(`User "${user}" cannot create resource`)), patience);
      await assert.rejects(certificate(kubectl, 'default'));
      manager.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    } finally {
      manager.kill('SIGKILL');
    }
  });
});
