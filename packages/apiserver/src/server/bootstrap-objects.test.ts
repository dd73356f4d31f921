import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groups, resolveRuntimeConfig } from '@binnacle/api/table';
import { openMemoryKV } from '@binnacle/kv/memory';
import { bootstrapObjects } from './bootstrap-objects.js';
import type { ResourceApi } from './resource-api.js';
import { testResourceApi } from './server.testing.js';

const certificate = (content: string): string => `-----BEGIN CERTIFICATE-----\n${content}\n-----END CERTIFICATE-----\n`;
const options = { bindAddress: '127.0.0.1', port: 6443, clientCertificateAuthorities: [certificate('one')] };

async function withBootstrapped(runtimeConfig: string, check: (api: ResourceApi) => Promise<void>): Promise<void> {
  await using kv = openMemoryKV();
  const serviceClusterIpRange = '10.0.0.0/24';
  const now = (): number => 0;
  const api = testResourceApi(kv, { served: resolveRuntimeConfig(runtimeConfig), serviceClusterIpRange });
  try {
    await bootstrapObjects(api, { ...options, serviceClusterIpRange, now });
    await check(api);
  } finally {
    api.catalog.stop();
  }
}

test('a server starts with any one API version disabled', async () => {
  const versions = groups().flatMap(({ group, versions: all }) =>
    all.filter((each) => each.servedByDefault).map((each) => `${group}/${each.version}`),
  );
  assert.ok(versions.length > 20);
  for (const version of versions) {
    await withBootstrapped(`${version}=false`, async (api) => {
      const namespaces = api.catalog.find('', 'namespaces');
      assert.equal(namespaces === undefined, version === '/v1', version);
      if (namespaces === undefined) return;
      assert.ok(await namespaces.store.reader.find('', 'kube-system'), version);
    });
  }
});

test('objects of a disabled version are created in another version that is served', () =>
  withBootstrapped('networking.k8s.io/v1=false,networking.k8s.io/v1beta1=true', async (api) => {
    for (const [resource, name] of [
      ['servicecidrs', 'kubernetes'],
      ['ipaddresses', '10.0.0.1'],
    ] as const) {
      const stored = await api.catalog.find('networking.k8s.io', resource)?.store.reader.find('', name);
      assert.ok(stored, resource);
      assert.equal(stored.decode().apiVersion, 'networking.k8s.io/v1');
    }
  }));

test('whose certificates are taken is said once each, whatever servers there are and were', () =>
  withBootstrapped('', async (api) => {
    const said = async () => {
      const stored = await api.catalog
        .find('', 'configmaps')
        ?.store.reader.get('kube-system', 'extension-apiserver-authentication');
      return stored?.decode();
    };
    assert.deepEqual((await said())?.data, { 'client-ca-file': certificate('one') });
    const more = { ...options, serviceClusterIpRange: '10.0.0.0/24', now: () => 0 };
    const clientCertificateAuthorities = [certificate('two') + certificate('one')];
    await bootstrapObjects(api, { ...more, clientCertificateAuthorities });
    const both = await said();
    assert.deepEqual(both?.data, { 'client-ca-file': certificate('one') + certificate('two') });
    await bootstrapObjects(api, { ...more, clientCertificateAuthorities });
    assert.equal((await said())?.metadata.resourceVersion, both?.metadata.resourceVersion);
  }));
