import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import { connect, DynamicClient } from '@binnacle/client';
import { eventually } from '@binnacle/client/testing';
import { etcdBinaries, EtcdProcess, withoutEtcd } from '@binnacle/kv/testing';
import { start } from 'binnacle';
import { Program } from './components/program.mjs';
import { cache, goEnvironment, hasGo, run, unlessAsked } from './programs.mjs';

const PACKAGE = 'k8s.io/sample-apiserver@v0.36.0';
const binaries = join(cache, 'go/interop');
const skip = unlessAsked('sample-apiserver', hasGo() && withoutEtcd() === false, 'there is no go or no etcd here');
/** More than a thousand packages to build, the first time. */
const TIMEOUT_MS = 30 * 60_000;

const GROUP = 'wardle.example.com';
const flundersIn = (version) => ({ group: GROUP, version, resource: 'flunders' });
const fischers = { group: GROUP, version: 'v1alpha1', resource: 'fischers' };
const apiServices = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' };

/** Upstream's extension API server, as it was built, with an etcd of its own, behind an APIService. */
describe("upstream's sample-apiserver", { skip, timeout: TIMEOUT_MS }, () => {
  let server;
  let etcd;
  let program;
  let transport;
  let client;
  const folder = mkdtempSync(join(tmpdir(), 'sample-apiserver-'));

  before(async () => {
    await run('go', ['install', '-ldflags=-s -w', PACKAGE], { env: { ...goEnvironment, GOBIN: binaries } });
    const kubeconfig = join(folder, 'kubeconfig');
    const { path: binary } = etcdBinaries().at(-1);
    [server, etcd] = await Promise.all([
      start({ inMemory: true, kubeconfigFile: kubeconfig }),
      EtcdProcess.start({ binary }),
    ]);
    const port = await freePort();
    const files = ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'];
    const flags = [
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${folder}`,
      `--etcd-servers=${etcd.endpoint}`,
      ...files.map((flag) => `--${flag}=${kubeconfig}`),
    ];
    const command = [join(binaries, 'sample-apiserver'), ...flags];
    program = new Program('sample-apiserver', command, { logFile: join(folder, 'log') });
    transport = connect(server.clientConfig);
    client = new DynamicClient(transport);
    await register(client, port);
  });

  after(async () => {
    await program?.stop();
    await transport?.close();
    await Promise.all([server?.stop(), etcd?.[Symbol.asyncDispose]()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('becomes available', () =>
    eventually(async () => {
      program.assertUnbroken();
      for (const version of ['v1alpha1', 'v1beta1']) {
        const { status } = await client.resource(apiServices).get(`${version}.${GROUP}`);
        assert.deepEqual(
          status?.conditions?.map(({ reason }) => reason),
          ['Passed'],
        );
      }
    }));

  it('stores objects, converts them, and shows them in watches', async () => {
    const old = client.resource(flundersIn('v1alpha1')).namespace('default');
    const current = client.resource(flundersIn('v1beta1')).namespace('default');
    const watching = new AbortController();
    const seen = (async () => {
      for await (const { type, object } of current.watch({ signal: watching.signal })) {
        if (type === 'DELETED') return object.metadata.name;
      }
    })();
    await old.create(flunder('first'));
    assert.equal((await current.get('first')).spec.flunderReference, 'another');
    await current.patch('first', { type: 'merge', body: { metadata: { labels: { a: 'b' } } } });
    assert.deepEqual((await old.get('first')).metadata.labels, { a: 'b' });
    await current.delete('first');
    assert.equal(await seen, 'first');
    watching.abort();
  });

  it('admits objects by its own rules', async () => {
    const metadata = { name: 'ban' };
    const ban = { apiVersion: `${GROUP}/v1alpha1`, kind: 'Fischer', metadata, disallowedFlunders: ['banned'] };
    await client.resource(fischers).create(ban);
    await eventually(async () => {
      const name = 'banned';
      const refused = client
        .resource(flundersIn('v1alpha1'))
        .namespace('default')
        .create(flunder(name), { dryRun: ['All'] });
      await assert.rejects(refused, (error) => error instanceof StatusError && error.code === 403);
    });
  });

  it('is in discovery and OpenAPI', () =>
    eventually(async () => {
      const json = async (path, accept = 'application/json') => {
        const answer = await transport.send({ method: 'GET', path, headers: { accept } }, {});
        const chunks = [];
        for await (const chunk of answer.body) chunks.push(chunk);
        return JSON.parse(Buffer.concat(chunks).toString());
      };
      const { groups } = await json('/apis');
      assert.deepEqual(
        groups.find(({ name }) => name === GROUP)?.versions.map(({ version }) => version),
        ['v1beta1', 'v1alpha1'],
      );
      const path = `apis/${GROUP}/v1alpha1`;
      assert.ok((await json('/openapi/v3')).paths[path]);
      assert.ok((await json(`/openapi/v3/${path}`)).paths[`/${path}/fischers`]);
      assert.ok((await json('/openapi/v2')).paths[`/${path}/fischers`]);
    }));

  it('learns the user and asks for rights', async () => {
    const other = connect(server.clientConfig, { impersonate: { user: 'nobody' } });
    try {
      const listed = new DynamicClient(other).resource(fischers).list();
      await assert.rejects(listed, (error) => error instanceof StatusError && error.code === 403);
    } finally {
      await other.close();
    }
  });
});

const flunder = (name) => ({
  apiVersion: `${GROUP}/v1alpha1`,
  kind: 'Flunder',
  metadata: { name },
  spec: { reference: 'another', referenceType: 'Flunder' },
});

async function register(client, port) {
  const services = client.resource({ group: '', version: 'v1', resource: 'services' }).namespace('default');
  const spec = { type: 'ExternalName', externalName: '127.0.0.1' };
  await services.create({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'api' }, spec });
  for (const version of ['v1alpha1', 'v1beta1']) {
    const service = { name: 'api', namespace: 'default', port };
    const priorities = { groupPriorityMinimum: 1000, versionPriority: 15 };
    await client.resource(apiServices).create({
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `${version}.${GROUP}` },
      spec: { group: GROUP, version, service, insecureSkipTLSVerify: true, ...priorities },
    });
  }
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
