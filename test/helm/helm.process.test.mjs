/**
 * Helm against a server: the life of a release of the chart beside this file, with a definition, hooks and a test. Helm is nothing that
 * npm, Debian or most machines have, and to build it takes minutes: so it is tested where there is one, and
 * `node scripts/build-helm.mjs` makes one for `npm test -- test/helm`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CustomResourceDefinition } from '@binnacle/client/kinds/apiextensions/v1';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { Job } from '@binnacle/client/kinds/batch/v1';
import { ConfigMap, Namespace, Pod, Secret } from '@binnacle/client/kinds/core/v1';
import { testServer } from 'binnacle/testing';
import { helmVersion } from '../../scripts/build-helm.mjs';
import { findHelm } from './find-helm.mjs';

const chart = fileURLToPath(new URL('lighthouse', import.meta.url));
const NAMESPACE = 'coast';
const helm = findHelm();
/** Commands that wait for hooks, by default for five minutes. */
const waiting = ['install', 'upgrade', 'rollback', 'test', 'uninstall'];

describe('helm', {
  timeout: 300_000,
  skip: helm === undefined ? `there is no helm: node scripts/build-helm.mjs builds ${helmVersion}` : false,
}, () => {
  let folder;
  let server;
  let environment;
  let working;
  const stopped = new AbortController();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'helm-'));
    server = await testServer();
    const KUBECONFIG = await server.kubeconfigFile();
    environment = { PATH: process.env.PATH, HOME: folder, KUBECONFIG, HELM_NAMESPACE: NAMESPACE };
    working = Promise.all([finish(Job, jobDone), finish(Pod, podDone)]);
  });
  after(async () => {
    stopped.abort();
    await assert.rejects(working, stopped.signal.reason);
    await server.stop();
    await rm(folder, { recursive: true });
  });

  /** In place of a cluster's controllers and nodes: whatever is started ends well, at once. */
  async function finish(type, status) {
    const all = server.client.resource(type);
    for await (const { type: what, object } of all.watch({ signal: stopped.signal })) {
      if (what !== 'ADDED') continue;
      const { name, namespace } = object.metadata;
      await all.namespace(namespace).status.patch(name, { type: 'merge', body: { status } });
    }
  }

  async function run(...args) {
    const parameters = waiting.includes(args[0]) ? [...args, '--timeout', '30s'] : args;
    const child = spawn(helm.path, parameters, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (said[name] += text));
    const code = await new Promise((done, failed) => child.once('error', failed).once('close', done));
    return { code, ...said };
  }

  async function succeeds(...args) {
    const { code, stdout, stderr } = await run(...args);
    assert.equal(code, 0, `helm ${args.join(' ')}\n${stdout}\n${stderr}`);
    return stdout;
  }

  const json = async (...args) => JSON.parse(await succeeds(...args, '-o', 'json'));
  const names = async (type, labelSelector) =>
    (await server.client.resource(type).namespace(NAMESPACE).list({ labelSelector })).items
      .map(({ metadata }) => metadata.name)
      .sort();
  const deployment = () => server.client.resource(Deployment).namespace(NAMESPACE).get('north');
  const lamp = () => server.client.resource(Lamp).namespace(NAMESPACE).get('north');

  it('shows what it would make, and makes nothing', async () => {
    const shown = await succeeds('template', 'north', chart, '--include-crds');
    assert.match(shown, /kind: CustomResourceDefinition/);
    const { items } = await server.client.resource(CustomResourceDefinition).list();
    assert.deepEqual(items, []);
  });

  it('installs: the definition, then hooks, then all the rest', async () => {
    const installed = await json('install', 'north', chart, '--create-namespace');
    assert.deepEqual([installed.info.status, installed.version], ['deployed', 1]);
    assert.equal(installed.info.notes.trim(), 'The lamp of north is white.');
    assert.equal((await lamp()).spec.color, 'white');
    const maps = server.client.resource(ConfigMap).namespace(NAMESPACE);
    const { data } = await maps.get('north');
    const { uid } = (await server.client.resource(Namespace).get('kube-system')).metadata;
    assert.equal(data.clusterUid, uid);
    assert.equal(data.autoscaling, 'true');
    assert.match(data.kubernetes, /^v1\.36\./);
    assert.equal((await maps.get('north-site')).data.revision, '1');
    assert.deepEqual(await names(Job), []);
    const { code, stderr } = await run('install', 'north', chart);
    assert.equal(code, 1);
    assert.match(stderr, /cannot re-use a name that is still in use/);
  });

  it('lists, and tells what there is', async () => {
    const [listed, ...others] = await json('list');
    assert.deepEqual(
      [listed.name, listed.revision, listed.status, listed.chart],
      ['north', '1', 'deployed', 'lighthouse-1.2.0'],
    );
    assert.equal(others.length, 0);
    assert.equal((await json('list', '--all-namespaces', '--filter', 'south')).length, 0);
    assert.match(await succeeds('get', 'manifest', 'north'), /kind: Lamp/);
    assert.equal((await json('status', 'north')).info.status, 'deployed');
  });

  it('upgrades what has changed, and nothing that others have', async () => {
    const before = await deployment();
    await server.client
      .resource(Deployment)
      .namespace(NAMESPACE)
      .patch('north', { type: 'merge', body: { metadata: { labels: { inspected: 'yes' } } } });
    const upgraded = await json('upgrade', 'north', chart, '--set', 'replicas=3,lamp.color=red');
    assert.deepEqual([upgraded.info.status, upgraded.version], ['deployed', 2]);
    const { metadata, spec } = await deployment();
    assert.deepEqual([spec.replicas, metadata.labels.inspected, metadata.uid], [3, 'yes', before.metadata.uid]);
    assert.equal((await lamp()).spec.color, 'red');
    assert.equal((await json('upgrade', '--install', 'south', chart)).version, 1);
    assert.equal((await json('list')).length, 2);
    await succeeds('uninstall', 'south');
  });

  it('an upgrade that the server refuses is a release that failed', async () => {
    const { code, stderr } = await run('upgrade', 'north', chart, '--set', 'lamp.color=purple');
    assert.equal(code, 1);
    assert.match(stderr, /spec\.color: Unsupported value: "purple": supported values: "white", "red", "green"/);
    const revisions = await json('history', 'north');
    assert.deepEqual(
      revisions.map(({ revision, status }) => [revision, status]),
      [
        [1, 'superseded'],
        [2, 'deployed'],
        [3, 'failed'],
      ],
    );
  });

  it('rolls back', async () => {
    assert.match(await succeeds('rollback', 'north', '1'), /Rollback was a success/);
    assert.equal((await deployment()).spec.replicas, 1);
    assert.equal((await lamp()).spec.color, 'white');
    assert.equal((await json('history', 'north')).at(-1).description, 'Rollback to 1');
  });

  it('tests', async () => {
    const said = await succeeds('test', 'north');
    assert.match(said, /TEST SUITE: +north-greets/);
    assert.match(said, /Phase: +Succeeded/);
    assert.deepEqual(await names(Pod), ['north-greets']);
  });

  it('uninstalls all but the definition and what hooks have made', async () => {
    assert.deepEqual(
      await names(Secret, 'owner=helm,name=north'),
      [1, 2, 3, 4].map((n) => `sh.helm.release.v1.north.v${n}`),
    );
    assert.match(await succeeds('uninstall', 'north', '--wait'), /release "north" uninstalled/);
    assert.deepEqual(await names(Secret), []);
    assert.deepEqual(await names(Deployment), []);
    assert.deepEqual(await names(ConfigMap, 'app.kubernetes.io/instance=north'), []);
    assert.deepEqual(await json('list', '--all'), []);
    const definitions = await server.client.resource(CustomResourceDefinition).list();
    assert.deepEqual(
      definitions.items.map(({ metadata }) => metadata.name),
      ['lamps.example.com'],
    );
  });
});

const ended = '2026-01-01T00:00:09Z';
const condition = (type) => ({ type, status: 'True', lastProbeTime: ended, lastTransitionTime: ended });
const jobDone = {
  startTime: '2026-01-01T00:00:00Z',
  completionTime: ended,
  succeeded: 1,
  conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
};
const podDone = { phase: 'Succeeded' };
const Lamp = { group: 'example.com', version: 'v1', kind: 'Lamp', plural: 'lamps', namespaced: true };
