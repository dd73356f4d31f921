import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import { connect, DynamicClient } from '@binnacle/client';
import { eventually } from '@binnacle/client/testing';
import { etcdBinaries, EtcdProcess, withoutEtcd } from '@binnacle/kv/testing';
import { start } from 'binnacle';
import { disposing } from '../access/disposing.mjs';
import { findKubectls } from '../e2e/kubectl-clients.mjs';
import { shopManifests } from '../e2e/shop.mjs';
import { Folder } from '../access/world.mjs';
import { encryptionConfiguration, identity, key, kms } from '../encryption/configuration.mjs';
import { KmsPlugin } from '../encryption/plugin.mjs';
import { KubeApiserver } from './kube-apiserver/kube-apiserver.mjs';
import {
  binnacle,
  exportedObjects,
  hasSamples,
  objectsOf,
  startRestored,
  writeSamples,
} from './kube-apiserver/snapshots.mjs';
import { hasGo, run, unlessAsked } from './programs.mjs';

const skip = unlessAsked('kube-apiserver', hasGo() && withoutEtcd() === false, 'there is no go or no etcd here');
/** Two thousand packages to build, the first time. */
const TIMEOUT_MS = 30 * 60_000;

/** How long upstream may take to find the extension API server. */
const REGISTERED_MS = 60_000;

const core = (resource) => ({ group: '', version: 'v1', resource });
const flunders = { group: 'wardle.example.com', version: 'v1', resource: 'flunders' };

const startEtcd = () => EtcdProcess.start({ binary: etcdBinaries().at(-1).path });

/** This server, over the same etcd. */
async function startOurs(use, etcd, options) {
  const server = await start({ etcdServers: etcd.endpoint, controllers: '', ...options });
  const transport = connect(server.clientConfig);
  await use({ [Symbol.asyncDispose]: async () => transport.close().then(() => server.stop()) });
  return new DynamicClient(transport);
}

const object = (kind, name, text) => ({ apiVersion: 'v1', kind, metadata: { name }, data: { text } });

/** The names and texts of all objects of a kind that the tests made. */
async function textsOf(client, resource) {
  const { items } = await client.resource(core(resource)).namespace('default').list();
  return items.filter(({ data }) => data?.text !== undefined).map(({ metadata, data }) => [metadata.name, data.text]);
}

describe('kube-apiserver', { skip, timeout: TIMEOUT_MS }, () => {
  for (const [name, providerOf] of [
    ['aescbc', () => ({ aescbc: { keys: [key('a', 1)] } })],
    ['aesgcm', () => ({ aesgcm: { keys: [key('a', 2)] } })],
    ['secretbox', () => ({ secretbox: { keys: [key('a', 3)] } })],
    ['a plugin of KMS v2', (socket) => kms('one', socket)],
    ['identity', () => identity],
  ]) {
    it(`reads what we encrypt in its etcd, and we read what it encrypts: ${name}`, () =>
      disposing(async (use) => {
        const folder = await use(Folder.make());
        const socket = join(folder.path, 'kms.sock');
        const plugin = new KmsPlugin(socket);
        await plugin.start();
        await use({ [Symbol.asyncDispose]: async () => plugin.stop() });
        const providers = name === 'identity' ? [identity] : [providerOf(socket), identity];
        const file = await folder.write(
          'encryption.json',
          encryptionConfiguration({ 'secrets configmaps': providers }),
        );
        const etcd = await use(startEtcd());
        const flags = [`--encryption-provider-config=${file}`];
        const upstream = await use(KubeApiserver.start({ folder: folder.path, etcd: etcd.endpoint, flags }));
        const theirs = upstream.client;
        const ours = await startOurs(use, etcd, { encryptionProviderConfig: file });
        const texts = [
          ['Secret', 'secrets', Buffer.from('hidden').toString('base64')],
          ['ConfigMap', 'configmaps', 'hidden'],
        ];
        for (const [kind, resource, text] of texts) {
          await theirs
            .resource(core(resource))
            .namespace('default')
            .create(object(kind, 'theirs', text));
          await ours
            .resource(core(resource))
            .namespace('default')
            .create(object(kind, 'ours', text));
          const patch = { type: 'merge', body: { metadata: { labels: { by: 'ours' } } } };
          await ours.resource(core(resource)).namespace('default').patch('theirs', patch);
          const expected = [
            ['ours', text],
            ['theirs', text],
          ];
          assert.deepEqual(await textsOf(theirs, resource), expected);
          await eventually(async () => assert.deepEqual(await textsOf(ours, resource), expected));
        }
      }));
  }

  it('serves our extension API server, unchanged', () =>
    disposing(async (use) => {
      const { path: folder } = await use(Folder.make());
      const etcd = await use(startEtcd());
      const { client, kubeconfig } = await use(KubeApiserver.start({ folder, etcd: etcd.endpoint }));
      const main = new URL('../../examples/extension-server/dist/main.js', import.meta.url);
      const child = spawn(process.execPath, [main.pathname], {
        env: { ...process.env, KUBECONFIG: kubeconfig },
        stdio: 'ignore',
      });
      await use({
        [Symbol.asyncDispose]: async () => {
          child.kill();
          if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        },
      });
      const all = client.resource(flunders).namespace('default');
      const flunder = (reference) => ({
        apiVersion: 'wardle.example.com/v1',
        kind: 'Flunder',
        metadata: { name: 'first' },
        spec: { reference },
      });
      let created;
      await eventually(async () => (created = await all.create(flunder('second'))), { timeout: REGISTERED_MS });
      const watching = new AbortController();
      const seen = (async () => {
        for await (const { type, object: one } of all.watch({
          resourceVersion: created.metadata.resourceVersion,
          signal: watching.signal,
        })) {
          if (type === 'MODIFIED') return one.spec.reference;
        }
      })();
      await all.patch('first', { type: 'merge', body: { spec: { reference: 'third' } } });
      assert.equal(await seen, 'third');
      watching.abort();
      await assert.rejects(
        all.create({ ...flunder(''), metadata: { name: 'invalid' }, spec: {} }),
        (error) => error instanceof StatusError && error.code === 422,
      );
    }));

  it('serves a cluster from a snapshot that we export, and kubectl reads everything', () =>
    disposing(async (use) => {
      const { path: folder } = await use(Folder.make());
      const at = (name) => join(folder, name);
      const source = await start({ inMemory: true, nodes: 1, kubeconfigFile: at('source') });
      await use({ [Symbol.asyncDispose]: () => source.stop() });
      writeFileSync(at('shop.json'), JSON.stringify(shopManifests));
      await binnacle('import', at('shop.json'), '--secrets', '--kubeconfig', at('source'));
      const pods = async () =>
        [...(await objectsOf(at('source'))).keys()].filter((name) => name.startsWith('Pod. shop/'));
      await eventually(async () => assert.equal((await pods()).length, 2), { timeout: REGISTERED_MS });
      const snapshot = ['--to-snapshot', at('a.db'), '--secrets', '-o', 'json'];
      const report = JSON.parse(await binnacle('export', '--kubeconfig', at('source'), ...snapshot));
      assert.deepEqual([report.failed, report.unread], [[], []]);
      // The snapshot no longer changes, unlike the source.
      await binnacle('export', '--from', at('a.db'), '--secrets', '--to', at('exported'));

      const etcd = await use(startRestored(at('a.db')));
      const upstream = await use(KubeApiserver.start({ folder, etcd: etcd.endpoint }));
      const exported = exportedObjects(at('exported'));
      assert.equal(exported.length, report.written);
      // It serves definitions some time after it is ready.
      const served = async () => {
        const uids = new Set([...(await objectsOf(upstream.kubeconfig)).values()].map(({ metadata }) => metadata.uid));
        for (const { kind, metadata } of exported) assert.ok(uids.has(metadata.uid), `${kind} ${metadata.name}`);
      };
      await eventually(served, { timeout: REGISTERED_MS });
      for (const { path } of findKubectls()) {
        const kubectl = (...args) => run(path, [`--kubeconfig=${upstream.kubeconfig}`, ...args]);
        const names = (await kubectl('api-resources', '--verbs=list', '-o', 'name')).trim().split('\n');
        const found = await kubectl('get', names.join(), '--all-namespaces', '-o', 'name', '--ignore-not-found');
        assert.match(found, /^widget\.example\.com\/w$/m);
        assert.match(found, /^pod\/web-/m);
        assert.match(await kubectl('get', 'deploy,svc,secret,widget', '-n', 'shop'), /deployment\.apps\/web +2\/2/);
        await kubectl('annotate', '--overwrite', 'widget', 'w', '-n', 'shop', `by=${path.replaceAll('/', '.')}`);
        await kubectl('scale', 'deploy', 'web', '-n', 'shop', '--replicas=3');
        await kubectl('scale', 'deploy', 'web', '-n', 'shop', '--replicas=2');
      }
      // And back: we read what it has written.
      await etcd.end();
      const back = ['--from', etcd.storeFile, '--secrets', '--to-snapshot', at('b.db'), '-o', 'json'];
      const { failed, unread, written } = JSON.parse(await binnacle('export', ...back));
      assert.deepEqual([failed, unread], [[], []]);
      assert.ok(written >= report.written, `${written} of ${report.written}`);
    }));

  it('reads each kind from a snapshot that we export as we do', { skip: !hasSamples() && 'no samples' }, () =>
    disposing(async (use) => {
      const { path: folder } = await use(Folder.make());
      const at = (name) => join(folder, name);
      writeSamples(at('samples'));
      const snapshot = ['--to-snapshot', at('a.db'), '--secrets', '-o', 'json'];
      const report = JSON.parse(await binnacle('export', '--from', at('samples'), ...snapshot));
      assert.deepEqual(report.failed, []);
      const etcd = await use(startRestored(at('a.db')));
      const upstream = await use(KubeApiserver.start({ folder, etcd: etcd.endpoint }));
      await startOurs(use, etcd, { kubeconfigFile: at('ours') });
      const isSample = ([, { metadata }]) => metadata.uid?.endsWith('.json');
      const [theirs, ours] = await Promise.all([upstream.kubeconfig, at('ours')].map((path) => objectsOf(path)));
      const found = Object.fromEntries([...theirs].filter(isSample));
      assert.ok(Object.keys(found).length > 40, Object.keys(found).join());
      assert.deepEqual(Object.fromEntries([...ours].filter(isSample)), found);
    }),
  );
});
