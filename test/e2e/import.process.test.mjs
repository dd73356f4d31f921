// `binnacle import` and `binnacle export --to`, seen by kubectl: a cluster moves through a folder to another server.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { start } from 'binnacle';
import { findKubectls } from './kubectl-clients.mjs';

const client = findKubectls().at(-1);
const main = fileURLToPath(new URL('../../packages/binnacle/bundle/cli/main.js', import.meta.url));
const execute = promisify(execFile);

const manifests = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget }
  versions:
  - name: v1
    served: true
    storage: true
    subresources: { status: {} }
    schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
---
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: v1
kind: Secret
metadata: { name: key, namespace: shop }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: c, image: nginx }] }
`;

describe('binnacle import and export', {
  timeout: 600_000,
  skip: client === undefined && 'kubectl is not installed',
}, () => {
  let folder = '';
  const servers = [];
  /** The path of a file in the folder of the test. */
  const at = (name) => join(folder, name);
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'import-'));
    writeFileSync(at('manifests.yaml'), manifests);
    // Without control loops the target shows what was imported, and nothing else.
    for (const [name, options] of [
      ['source', { nodes: 1 }],
      ['target', { controllers: '' }],
    ]) {
      const server = await start({ inMemory: true, ...options });
      servers.push(server);
      writeFileSync(at(name), server.kubeconfig);
    }
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true });
  });
  const binnacle = async (...args) => (await execute(process.execPath, [main, ...args])).stdout;
  const kubectl = async (server, ...args) =>
    (await execute(client.path, ['--kubeconfig', at(server), '-n', 'shop', ...args])).stdout;
  const read = async (server, ...args) => JSON.parse(await kubectl(server, 'get', '-o', 'json', ...args));

  it('move definitions, namespaces, owners with their dependents, and statuses', async () => {
    const given = await binnacle('import', at('manifests.yaml'), '--kubeconfig', at('source'), '--secrets');
    assert.match(given, /^4 created, 0 exist already, 0 failed\n$/);
    writeFileSync(at('w.yaml'), 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nstatus: {ok: true}\n');
    await kubectl('source', 'create', '-f', at('w.yaml'));
    await kubectl('source', 'rollout', 'status', 'deployment/web', '--timeout=30s');

    const written = await binnacle('export', '--to', at('out'), '--kubeconfig', at('source'), '-o', 'json');
    const { leftOut, unread } = JSON.parse(written);
    assert.deepEqual(unread, []);
    assert.ok(
      leftOut.some(({ reason }) => reason === 'default roles and bindings'),
      written,
    );
    assert.ok(existsSync(at('out/resources/deployments.apps/namespaces/shop/web.yaml')));
    assert.ok(!existsSync(at('out/resources/secrets')));

    const into = ['--kubeconfig', at('target')];
    const dry = JSON.parse(await binnacle('import', at('out'), ...into, '--dry-run=server', '-o', 'json'));
    assert.deepEqual([dry.failed, dry.ownersLost, dry.dryRun], [[], 0, true]);
    await assert.rejects(kubectl('target', 'get', 'namespace', 'shop'), /NotFound/);

    const report = JSON.parse(await binnacle('import', at('out'), ...into, '-o', 'json'));
    assert.deepEqual([report.failed, report.ownersLost, report.unchecked], [[], 0, 0]);
    const [{ items: sets }, { items: pods }] = await Promise.all([
      read('target', 'replicasets'),
      read('target', 'pods'),
    ]);
    const [deployment, original] = await Promise.all([
      read('target', 'deployment', 'web'),
      read('source', 'deployment', 'web'),
    ]);
    assert.notEqual(deployment.metadata.uid, original.metadata.uid);
    assert.deepEqual(
      sets.map(({ metadata }) => metadata.ownerReferences[0].uid),
      [deployment.metadata.uid],
    );
    assert.deepEqual(
      pods.map(({ metadata, status, spec }) => [metadata.ownerReferences[0].uid, status.phase, spec.nodeName]),
      pods.map(() => [sets[0].metadata.uid, 'Running', 'node-0']),
    );
    assert.equal(pods.length, 2);
    assert.equal(deployment.status.readyReplicas, 2);
    const again = JSON.parse(await binnacle('import', at('out'), ...into, '-o', 'json'));
    assert.deepEqual([again.created, again.existing], [0, report.created + report.existing]);
  });

  it('overwrite what has changed, when told to', async () => {
    const folder = at('settings');
    const settings = (data) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'shop' },
      data,
    });
    writeFileSync(at('settings.json'), JSON.stringify(settings({ color: 'blue' })));
    await binnacle('import', at('settings.json'), '--kubeconfig', at('target'));
    const { metadata } = await read('target', 'configmap', 'settings');
    await kubectl('target', 'patch', 'configmap', 'settings', '-p', '{"data":{"color":"red","more":"yes"}}');
    const overwriting = ['import', at('settings.json'), '--kubeconfig', at('target'), '--overwrite'];
    assert.match(
      await binnacle(...overwriting, '--dry-run=server'),
      /^0 would be created \(dry run\), 1 would be overwritten,/,
    );
    assert.equal((await read('target', 'configmap', 'settings')).data.color, 'red');
    assert.match(await binnacle(...overwriting), /^0 created, 1 overwritten, 0 exist already, 0 failed\n$/);
    const overwritten = await read('target', 'configmap', 'settings');
    assert.deepEqual([overwritten.data, overwritten.metadata.uid], [{ color: 'blue' }, metadata.uid]);
    await assert.rejects(
      binnacle('export', '--kubeconfig', at('source'), '--to', folder, '--overwrite'),
      /--to and --to-snapshot exclude .*--overwrite/,
    );
  });

  it('move from server to server, with the reasons of what is refused', async () => {
    const to = ['--to-kubeconfig', at('target'), '--secrets'];
    const text = await binnacle('export', '--kubeconfig', at('source'), '-n', 'shop', ...to);
    assert.match(text, /^1 created, \d+ exist already, 0 failed\n/);
    assert.equal(await kubectl('target', 'get', 'secret', 'key', '-o', 'name'), 'secret/key\n');
    await assert.rejects(
      binnacle('export', '--kubeconfig', at('target'), '--to-kubeconfig', at('target')),
      /both are the server/,
    );
    writeFileSync(
      at('wrong.yaml'),
      'apiVersion: v1\nkind: Gadget\nmetadata: {name: g}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\n',
    );
    await assert.rejects(binnacle('import', at('wrong.yaml'), '--kubeconfig', at('target')), (error) => {
      assert.equal(error.code, 1);
      assert.match(error.stdout, /^failed: Gadget g: no resource for kind "Gadget"/m);
      assert.match(error.stdout, /^failed: Service s: Service "s" is invalid/m);
      return true;
    });
  });
});
