import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Event, Node, Pod, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { eventually } from '@binnacle/client/testing';
import { testServer } from 'binnacle/testing';
import { makeTestCertificate } from '../../packages/apiserver/dist/testing/test-certificate.js';

const main = fileURLToPath(new URL('../../packages/binnacle/bundle/cli/main.js', import.meta.url));
/** Generous, for machines that are busy. */
const patience = { timeout: 600_000 };

const authority = makeTestCertificate('/CN=authority');
const issued = (subject, alternativeNames) => makeTestCertificate(subject, { alternativeNames, issuer: authority });
const serving = issued('/CN=extender', 'DNS:extender.example.com');
const calling = issued('/CN=scheduler', 'DNS:scheduler');

it('binnacle scheduler asks an extender over TLS, with its client certificate', { timeout: 600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-extender-'));
  const server = await testServer();
  const extender = await startExtender(server.client);
  let scheduler;
  try {
    scheduler = startScheduler(await server.kubeconfigFile(), folder, extender.port);
    await prepare(server.client);
    await binds(server.client, extender);
    await rejects(server.client, extender);
    await ignores(server.client, extender);
  } finally {
    scheduler?.kill('SIGKILL');
    extender.stop();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});

/** Accepts `b` and `c`, prefers `c`, and binds. Pods that want `example.com/none` find no node. */
async function startExtender(client) {
  const asked = [];
  const answers = {
    '/ext/filter': ({ Pod: { metadata } }) =>
      metadata.name === 'unwanted'
        ? { NodeNames: [], FailedNodes: { a: 'unwanted here', b: 'unwanted here', c: 'unwanted here' } }
        : { NodeNames: ['b', 'c'], FailedNodes: { a: 'not a' } },
    '/ext/prioritize': ({ NodeNames }) => NodeNames.map((Host) => ({ Host, Score: Host === 'c' ? 10 : 0 })),
    '/ext/bind': async ({ PodName, PodNamespace, PodUID, Node: name }) => {
      const metadata = { name: PodName, uid: PodUID };
      const target = { apiVersion: 'v1', kind: 'Node', name };
      const pods = client.resource(Pod).namespace(PodNamespace);
      await pods.subresource('binding').create(PodName, { apiVersion: 'v1', kind: 'Binding', metadata, target });
      return {};
    },
  };
  const server = createServer(
    { cert: serving.certificate, key: serving.privateKey, ca: authority.certificate, requestCert: true },
    (request, response) => {
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', async () => {
        const question = JSON.parse(Buffer.concat(chunks).toString());
        asked.push(request.url);
        response.end(JSON.stringify(await answers[request.url](question)));
      });
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { asked, port: server.address().port, stop };
}

function startScheduler(kubeconfig, folder, port) {
  const write = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const config = write(
    'scheduler.yaml',
    JSON.stringify({
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      extenders: [
        // No one answers there.
        { urlPrefix: 'http://127.0.0.1:1', filterVerb: 'filter', bindVerb: '', ignorable: true },
        {
          urlPrefix: `https://127.0.0.1:${port}/ext`,
          filterVerb: 'filter',
          prioritizeVerb: 'prioritize',
          weight: 5,
          bindVerb: 'bind',
          nodeCacheCapable: true,
          httpTimeout: '60s',
          managedResources: [{ name: 'example.com/thing', ignoredByScheduler: true }],
          tlsConfig: {
            serverName: 'extender.example.com',
            caFile: write('ca.crt', authority.certificate),
            certData: Buffer.from(calling.certificate).toString('base64'),
            keyData: Buffer.from(calling.privateKey).toString('base64'),
          },
        },
      ],
    }),
  );
  const flags = ['scheduler', `--kubeconfig=${kubeconfig}`, `--config=${config}`];
  return spawn(process.execPath, [main, ...flags], { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function prepare(client) {
  await eventually(() => client.resource(ServiceAccount).namespace('default').get('default'), patience);
  for (const name of ['a', 'b', 'c']) {
    const nodes = client.resource(Node);
    await nodes.create({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
    await nodes.patch(name, { type: 'merge', body: { spec: { taints: null } } });
    const status = { allocatable: { cpu: '1', memory: '1Gi', pods: '9' } };
    await nodes.status.patch(name, { type: 'merge', body: { status } });
  }
}

/** No node has things: the extender manages them. */
function podNamed(name, resources) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'example.com/c', resources: { limits: resources } }] },
  };
}

async function binds(client, { asked }) {
  const pods = client.resource(Pod).namespace('default');
  await pods.create(podNamed('wanted', { 'example.com/thing': '1' }));
  await eventually(async () => assert.equal((await pods.get('wanted')).spec.nodeName, 'c'), patience);
  assert.deepEqual([...new Set(asked)], ['/ext/filter', '/ext/prioritize', '/ext/bind']);
}

async function rejects(client) {
  await client
    .resource(Pod)
    .namespace('default')
    .create(podNamed('unwanted', { 'example.com/thing': '1' }));
  const events = client.resource(Event).namespace('default');
  await eventually(async () => {
    const { items } = await events.list({ fieldSelector: 'involvedObject.name=unwanted' });
    assert.ok(
      items.some(({ note, message = note }) => message.startsWith('0/3 nodes are available: 3 unwanted here.')),
    );
  }, patience);
}

async function ignores(client, { asked }) {
  const count = asked.length;
  const pods = client.resource(Pod).namespace('default');
  await pods.create(podNamed('plain', {}));
  await eventually(async () => assert.notEqual((await pods.get('plain')).spec.nodeName, undefined), patience);
  assert.ok(asked.slice(count).every((path) => path !== '/ext/bind'));
}
