import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { kindSchema } from '@binnacle/api/table';
import { StatusError } from '@binnacle/apimachinery/status';
import { applyObject, LAST_APPLIED_ANNOTATION } from '@binnacle/client';
import { start } from 'binnacle';
import { isThorough } from '../thorough.mjs';
import { Kubectl } from './kubectl.mjs';
import { findKubectls } from './kubectl-clients.mjs';
import { startRecordingProxy } from './recording-proxy.mjs';

const clients = findKubectls();
/** Older clients omit fields from the query and use other schemas for patches. */
const supported = clients.filter(({ minor }) => minor >= 27);
/** `npm run test:thorough` compares with all of them. */
const compared = isThorough ? supported : supported.slice(-1);

const container = (name, more = {}) => ({ name, image: `example.com/${name}:1`, ...more });
const deployment = (containers, spec = {}, metadata = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', ...metadata },
  spec: {
    selector: { matchLabels: { app: 'd' } },
    template: { metadata: { labels: { app: 'd' } }, spec: { containers } },
    ...spec,
  },
});
const tcp = { tcpSocket: { port: 80 } };
const http = { httpGet: { path: '/<live>&', port: 8080 } };

/** The files of one object, applied in order; a function is a write by another client. */
const stories = {
  deployments: [
    deployment(
      [
        container('a', {
          livenessProbe: tcp,
          env: [
            { name: 'E', value: '1' },
            { name: 'F', value: '2' },
          ],
        }),
        container('b'),
      ],
      { replicas: 3, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } } },
      { labels: { kept: '1', dropped: '1' } },
    ),
    { metadata: { labels: { others: 'stays' } }, spec: { revisionHistoryLimit: 4 } },
    deployment(
      [
        container('c', { ports: [{ containerPort: 80 }] }),
        container('a', { livenessProbe: http, env: [{ name: 'F', value: '3' }] }),
      ],
      { strategy: { type: 'Recreate' } },
      { labels: { kept: '1' }, finalizers: ['example.com/z', 'example.com/y'] },
    ),
    deployment(
      [
        container('c', { ports: [{ containerPort: 80 }] }),
        container('a', { livenessProbe: http, env: [{ name: 'F', value: '3' }] }),
      ],
      { strategy: { type: 'Recreate' } },
      { labels: { kept: '1' }, finalizers: ['example.com/y', 'example.com/z'] },
    ),
    deployment([container('a', { livenessProbe: tcp })], {}, { labels: { kept: '1' } }),
  ],
  configmaps: [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { a: '<b>&\u2028 é', b: '1' } },
    { data: { others: 'stays', b: 'changed' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', annotations: { x: 'y' } }, data: { b: '1', c: '' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', annotations: { x: 'y' } }, data: { b: '1', c: '' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } },
  ],
  services: [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: {
        selector: { app: 'd', tier: 'x' },
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 81, targetPort: 'p' },
        ],
      },
    },
    { metadata: { annotations: { others: 'stays' } } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: {
        selector: { app: 'd' },
        ports: [
          { name: 'c', port: 82 },
          { name: 'a', port: 80, targetPort: 8080 },
        ],
      },
    },
  ],
};

const groupVersionOf = ({ apiVersion }) =>
  apiVersion.includes('/')
    ? { group: apiVersion.split('/')[0], version: apiVersion.split('/')[1] }
    : { group: '', version: apiVersion };

const collection = (resource, { apiVersion }) =>
  `/${apiVersion === 'v1' ? 'api' : 'apis'}/${apiVersion}/namespaces/default/${resource}`;

/** Sends requests like any HTTP client. */
function transportTo(url) {
  const send = async (method, target, { name, query = {}, type, body } = {}) => {
    const { group, version, resource } = target.resource;
    const path = collection(resource, { apiVersion: group === '' ? version : `${group}/${version}` });
    const address = new URL(`${path}${name === undefined ? '' : `/${name}`}`, url);
    address.search = new URLSearchParams(query).toString();
    const headers = { accept: 'application/json', ...(type === undefined ? {} : { 'content-type': type }) };
    const response = await fetch(address, { method, headers, body });
    const answer = await response.json();
    if (!response.ok) throw new StatusError(answer);
    return answer;
  };
  return {
    get: (target) => send('GET', target, { name: target.name }),
    create: (target, body, query) => send('POST', target, { query, type: 'application/json', body }),
    patch: (target, type, body, query) => send('PATCH', target, { name: target.name, query, type, body }),
  };
}

/** The object without its unique fields. */
function comparable({ metadata, status: _, ...rest }) {
  const { uid: _uid, resourceVersion: _version, creationTimestamp: _created, managedFields, ...kept } = metadata;
  // Managers are sorted by time, in whole seconds, so their order may vary.
  const managers = managedFields
    .map(({ time: _time, ...entry }) => entry)
    .sort((a, b) => a.manager.localeCompare(b.manager));
  return { ...rest, metadata: { ...kept, managers }, spec: { ...rest.spec, clusterIP: '', clusterIPs: '' } };
}

describe('client-side apply', { skip: compared.length > 0 ? false : 'no kubectl of 1.27 or newer' }, () => {
  let folder;
  let server;
  let proxy;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'apply-'));
    server = await start({ inMemory: true, controllers: '', kubeconfigFile: join(folder, 'kubeconfig') });
    proxy = await startRecordingProxy(
      server.clientConfig,
      /\/namespaces\/default\/(deployments|configmaps|services)(\/[a-z])?(\?|$)/,
    );
  });

  after(async () => {
    await proxy?.stop();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = async (method, path, body) => {
    const response = await fetch(new URL(path, proxy.url), {
      method,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    assert.ok(response.ok, `${method} ${path}: ${response.status}`);
    return response.json();
  };

  /** Plays a story; returns the requests and the object after each step. */
  async function play(resource, apply) {
    const [first] = stories[resource];
    const path = `${collection(resource, first)}/${first.metadata.name}`;
    const steps = [];
    for (const step of stories[resource]) {
      proxy.taken();
      let outcome = 'another client';
      if (step.kind === undefined) await call('PATCH', path, step);
      else outcome = await apply(step);
      const sent = proxy.taken();
      const object = comparable(await call('GET', path));
      steps.push({ outcome, sent, object });
    }
    await call('PATCH', path, { metadata: { finalizers: null } });
    await call('DELETE', path);
    return steps;
  }

  async function applyOurs(resource, manifest) {
    const { kind } = manifest;
    const groupVersion = groupVersionOf(manifest);
    const options = {
      resource: { ...groupVersion, resource },
      namespace: 'default',
      schema: kindSchema({ ...groupVersion, kind }),
    };
    const { outcome } = await applyObject(transportTo(proxy.url), manifest, options);
    return outcome;
  }

  for (const client of compared) {
    it(`sends the same requests as ${client.version}`, async () => {
      const kubectl = new Kubectl({ ...client, kubeconfig: '/dev/null', folder });
      const applyTheirs = async (manifest) => {
        const file = kubectl.file('manifest.json', JSON.stringify(manifest));
        const stdout = await kubectl.run(['--server', proxy.url, 'apply', '-f', file]);
        return stdout.trim().split(' ').at(-1);
      };
      for (const resource of Object.keys(stories)) {
        const theirs = await play(resource, applyTheirs);
        const ours = await play(resource, (manifest) => applyOurs(resource, manifest));
        if (resource === 'deployments') {
          const { metadata, spec } = theirs.at(-1).object;
          assert.deepEqual([metadata.labels, spec.revisionHistoryLimit], [{ kept: '1', others: 'stays' }, 4]);
          assert.deepEqual(
            spec.template.spec.containers.map(({ name, env }) => ({ name, env })),
            [{ name: 'a', env: undefined }],
          );
        }
        for (const [index, step] of theirs.entries()) {
          assert.deepEqual(ours[index], step, `${resource}, step ${index}`);
          if (step.outcome === 'created' || step.outcome === 'configured')
            assert.ok(step.object.metadata.annotations[LAST_APPLIED_ANNOTATION].endsWith('}\n'));
        }
      }
    });
  }

  it('replaces one probe handler with another', async () => {
    const kubectl = new Kubectl({ ...compared.at(-1), kubeconfig: server.kubeconfigFile, folder });
    const file = (probe) =>
      kubectl.file('probe.json', JSON.stringify(deployment([container('a', { livenessProbe: probe })])));
    const patch = (probe) =>
      JSON.stringify({ spec: { template: { spec: { containers: [{ name: 'a', livenessProbe: probe }] } } } });
    const handlers = async () => {
      const { spec } = await kubectl.json(['get', 'deployment', 'd']);
      const [{ livenessProbe }] = spec.template.spec.containers;
      return Object.keys(livenessProbe).filter((name) => name === 'tcpSocket' || name === 'httpGet');
    };
    await kubectl.run(['apply', '-f', file(tcp)]);
    const text =
      'is invalid: spec.template.spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type';
    const refused = await kubectl.fails(['patch', 'deployment', 'd', '-p', patch(http)]);
    assert.equal(refused.trim(), `The Deployment "d" ${text}`);
    await kubectl.run(['patch', 'deployment', 'd', '-p', patch({ ...http, tcpSocket: null })]);
    assert.deepEqual(await handlers(), ['httpGet']);
    // The file is unchanged, so it does not remove the handler that the patch has set.
    assert.equal((await kubectl.fails(['apply', '-f', file(tcp)])).trim(), `The Deployment "d" ${text}`);
    await assert.rejects(applyOurs('deployments', deployment([container('a', { livenessProbe: tcp })])), {
      code: 422,
      message: `Deployment.apps "d" ${text}`,
    });
    await kubectl.run(['delete', 'deployment', 'd']);

    for (const apply of [
      (probe) => kubectl.run(['apply', '-f', file(probe)]),
      (probe) => applyOurs('deployments', deployment([container('a', { livenessProbe: probe })])),
    ]) {
      await apply(tcp);
      await apply(http);
      assert.deepEqual(await handlers(), ['httpGet']);
      await kubectl.run(['delete', 'deployment', 'd']);
    }
  });
});
