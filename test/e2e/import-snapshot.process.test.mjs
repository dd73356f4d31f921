// `binnacle import` of the store of an etcd: the objects that a server has written to it arrive on another one.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connect, DynamicClient } from '@binnacle/client';
import { EtcdProcess, withoutEtcd } from '@binnacle/kv/testing';
import { start } from 'binnacle';
import { encryptionConfiguration, identity, key } from '../encryption/configuration.mjs';

const main = fileURLToPath(new URL('../../packages/binnacle/bundle/cli/main.js', import.meta.url));
const execute = promisify(execFile);

const manifests = ['Secret', 'ConfigMap'].map((kind) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'settings', namespace: 'shop' },
  data: { color: 'Ymx1ZQ==' },
}));
const items = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  },
  {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'shop' },
    spec: { size: 7 },
  },
  ...manifests,
];

it('binnacle import takes the objects in the store of an etcd', { skip: withoutEtcd(), timeout: 600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'import-snapshot-'));
  const file = (name, content) => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const binnacle = async (...parameters) => (await execute(process.execPath, [main, ...parameters])).stdout;
  const etcd = await EtcdProcess.start();
  try {
    const encryptionProviderConfig = file(
      'encryption.json',
      encryptionConfiguration({ secrets: [{ aescbc: { keys: [key('a', 1)] } }, identity] }),
    );
    const source = await start({ etcdServers: etcd.endpoint, controllers: '', encryptionProviderConfig });
    const manifest = file('manifests.json', { apiVersion: 'v1', kind: 'List', items });
    await binnacle('import', manifest, '--secrets', '--kubeconfig', file('source', source.kubeconfig));
    await source.stop();
    await etcd.end();

    const target = await start({ inMemory: true, controllers: '' });
    try {
      const into = ['--kubeconfig', file('target', target.kubeconfig), '-o', 'json'];
      const report = JSON.parse(await binnacle('import', etcd.storeFile, ...into));
      assert.deepEqual([report.failed, report.unread], [[], []]);
      const transport = connect(target.clientConfig);
      const shop = (resource) => new DynamicClient(transport).resource(resource).namespace('shop');
      const widgets = await shop({ group: 'example.com', version: 'v1', resource: 'widgets' }).get('w');
      assert.deepEqual(widgets.spec, { size: 7 });
      const configMap = await shop({ group: '', version: 'v1', resource: 'configmaps' }).get('settings');
      assert.deepEqual(configMap.data, { color: 'Ymx1ZQ==' });
      const secrets = await shop({ group: '', version: 'v1', resource: 'secrets' }).list();
      assert.deepEqual(secrets.items, []);
      await transport.close();

      await assert.rejects(binnacle('import', etcd.storeFile, ...into, '--secrets'), (error) => {
        assert.deepEqual(JSON.parse(error.stdout).unread, ['encrypted values below /registry/secrets (1)']);
        return true;
      });
    } finally {
      await target.stop();
    }
  } finally {
    await etcd.stop();
    rmSync(folder, { recursive: true });
  }
});
