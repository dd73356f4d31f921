import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groups, resolveRuntimeConfig } from '@binnacle/api/table';
import { openMemoryKV } from '@binnacle/kv/memory';
import { bootstrapObjects } from './bootstrap-objects.js';
import type { ResourceApi } from './resource-api.js';
import { testResourceApi } from './server.testing.js';

const certificate = (content: string): string => `-----BEGIN CERTIFICATE-----\n${content}\n-----END CERTIFICATE-----\n`;
const trustOf = (...clientAuthorities: readonly string[]) => ({ clientAuthorities, frontProxies: undefined });
const options = { bindAddress: '127.0.0.1', port: 6443, trust: trustOf(certificate('one')) };

async function withBootstrapped(runtimeConfig: string, check: (api: ResourceApi) => Promise<void>): Promise<void> {
  await using kv = openMemoryKV();
  const serviceClusterIpRange = '10.0.0.0/24';
  const now = (): number => 0;
  const served = resolveRuntimeConfig(runtimeConfig);
  const api = testResourceApi(kv, { served, serviceClusterIpRange });
  try {
    await bootstrapObjects(api, { ...options, served, serviceClusterIpRange, now });
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
    const served = resolveRuntimeConfig('');
    const more = { ...options, served, serviceClusterIpRange: '10.0.0.0/24', now: () => 0 };
    const trust = trustOf(certificate('two') + certificate('one'));
    await bootstrapObjects(api, { ...more, trust });
    const both = await said();
    assert.deepEqual(both?.data, { 'client-ca-file': certificate('one') + certificate('two') });
    await bootstrapObjects(api, { ...more, trust });
    assert.equal((await said())?.metadata.resourceVersion, both?.metadata.resourceVersion);
  }));

test('front proxies are published beside those of other servers', () =>
  withBootstrapped('', async (api) => {
    const more = { ...options, served: resolveRuntimeConfig(''), serviceClusterIpRange: '10.0.0.0/24', now: () => 0 };
    const proxies = (name: string, uidHeaders: readonly string[]) => ({
      authorities: [certificate(name)],
      allowedNames: [name],
      usernameHeaders: ['X-Remote-User'],
      uidHeaders,
      groupHeaders: ['X-Remote-Group'],
      extraHeaderPrefixes: [],
    });
    const publish = async (frontProxies: ReturnType<typeof proxies>) => {
      await bootstrapObjects(api, { ...more, trust: { clientAuthorities: [], frontProxies } });
      const stored = await api.catalog
        .find('', 'configmaps')
        ?.store.reader.get('kube-system', 'extension-apiserver-authentication');
      return stored?.decode()['data'];
    };
    const first = {
      'client-ca-file': certificate('one'),
      'requestheader-allowed-names': '["a"]',
      'requestheader-client-ca-file': certificate('a'),
      'requestheader-extra-headers-prefix': '[]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-username-headers': '["X-Remote-User"]',
    };
    assert.deepEqual(await publish(proxies('a', [])), first);
    assert.deepEqual(await publish(proxies('b', ['X-Remote-Uid'])), {
      ...first,
      'requestheader-allowed-names': '["a","b"]',
      'requestheader-client-ca-file': certificate('a') + certificate('b'),
      'requestheader-uid-headers': '["X-Remote-Uid"]',
    });
  }));
