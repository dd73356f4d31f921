import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groups, resolveRuntimeConfig } from '@binnacle/api/table';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { systemClock } from '@binnacle/apimachinery/clock';
import { openMemoryKV } from '@binnacle/kv/memory';
import { ensureObjects, kubernetesEndpoints, serverScope, updateOwned } from '../../bootstrap/index.js';
import { NEWEST } from '../../request/index.js';
import { bootstrapObjects, restoreKubernetesService } from './bootstrap-objects.js';
import type { ResourceApi } from '../resource-api.js';
import { testResourceApi } from '../server.testing.js';

const certificate = (content: string): string => `-----BEGIN CERTIFICATE-----\n${content}\n-----END CERTIFICATE-----\n`;
const trustOf = (...clientAuthorities: readonly string[]) => ({ clientAuthorities, frontProxies: undefined });
const options = {
  advertised: undefined,
  port: 6443,
  trust: trustOf(certificate('one')),
  isShared: false,
  report: (error: unknown) => assert.fail(String(error)),
};

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

test('the published authorities are named once each, whatever servers there are and were', () =>
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

test('a deleted kubernetes service is re-created with its address and endpoints', () =>
  withBootstrapped('', async (api) => {
    const [services, endpoints, slices] = (
      [
        ['', 'services'],
        ['', 'endpoints'],
        ['discovery.k8s.io', 'endpointslices'],
      ] as const
    ).map(([group, resource]) => api.catalog.find(group, resource)?.store);
    assert.ok(services && endpoints && slices);
    const find = () =>
      Promise.all(
        [services, endpoints, slices].map(async (store) => store.reader.find('default', 'kubernetes', NEWEST)),
      );
    const range = { served: resolveRuntimeConfig(''), serviceClusterIpRange: '10.0.0.0/24', now: () => 0 };
    const restore = () => restoreKubernetesService(api, { ...options, ...range, advertised: '192.0.2.1' });
    await restore();
    const before = await find();
    assert.ok(before.every((stored) => stored !== undefined));
    // The endpoints go with their service.
    for (const store of [services, slices]) await store.delete(serverScope('default'), 'kubernetes', {});
    assert.deepEqual(await find(), [undefined, undefined, undefined]);
    await restore();
    const after = await find();
    assert.deepEqual(
      after.map((stored) => stored?.decode()['spec']),
      before.map((stored) => stored?.decode()['spec']),
    );
    assert.ok(after[0] !== undefined && after[0].decode().metadata.uid !== before[0]?.decode().metadata.uid);
  }));

const service = (name: string, clusterIP: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'default' },
  spec: { clusterIP, ports: [{ port: 80 }] },
});
const address = (resource: string, name: string, finalizers: readonly string[] = []): KubernetesObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  metadata: {
    name: '10.0.0.1',
    labels: { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' },
    ...(finalizers.length === 0 ? {} : { finalizers: [...finalizers] }),
  },
  spec: { parentRef: { resource, namespace: 'default', name } },
});
const range = (cidr: string): KubernetesObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'ServiceCIDR',
  metadata: { name: 'kubernetes' },
  spec: { cidrs: [cidr] },
});
const trusted = (data: Record<string, string>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'extension-apiserver-authentication', namespace: 'kube-system' },
  data,
  immutable: true,
});

const REFUSED =
  'unable to sync kubernetes service: Service "kubernetes" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.1"]: failed to allocate IP 10.0.0.1: ';
const taken = `${REFUSED}provided IP is already allocated`;

/** What users or cut-off starts leave, the seconds since then, and what a start then reports. */
const states: readonly (readonly [name: string, objects: KubernetesObject[], seconds: number, reports: string[]])[] = [
  ['the claim of a start that was cut off', [address('services', 'kubernetes')], 0, []],
  ['the claim of a service that is no more', [address('services', 'gone')], 60, []],
  ['a claim whose service may be on its way', [address('services', 'coming')], 59, [taken]],
  ['a claim for another kind', [address('gateways', 'kubernetes')], 3600, [taken]],
  ['a claim that a finalizer keeps', [address('services', 'kubernetes', ['a.b/c'])], 3600, [taken]],
  ['a service with the address', [service('other', '10.0.0.1')], 3600, [taken]],
  ['a headless service of the name', [service('kubernetes', 'None')], 0, []],
  [
    'another range of the name',
    [range('192.168.77.0/28')],
    0,
    [`${REFUSED}the provided network does not match the current range`],
  ],
  ['authorities that are garbage', [trusted({ 'client-ca-file': 'x', 'requestheader-allowed-names': '{' })], 0, []],
];

for (const [name, objects, seconds, reports] of states) {
  test(`a start survives ${name}`, { concurrency: true }, async () => {
    await using kv = openMemoryKV();
    let now = 0;
    const served = resolveRuntimeConfig('');
    const api = testResourceApi(kv, { served, clock: { ...systemClock, now: () => now } });
    try {
      const first = objects.some(({ kind }) => kind === 'ServiceCIDR') ? [] : [range('10.0.0.0/24')];
      await ensureObjects(first, api.endpointOf);
      await ensureObjects(objects, api.endpointOf);
      now = seconds * 1000;
      const reported: unknown[] = [];
      const report = (error: unknown): void => void reported.push(error);
      const again = { ...options, served, serviceClusterIpRange: '10.0.0.0/24', now: () => now, report };
      assert.equal(await bootstrapObjects(api, again), reports.length === 0);
      assert.deepEqual(reported, reports);
      const services = api.catalog.find('', 'services')?.store.reader;
      assert.equal((await services?.find('default', 'kubernetes')) !== undefined, reports.length === 0);
      // All other objects are stored, whatever is in the way of one.
      assert.ok(await api.catalog.find('rbac.authorization.k8s.io', 'clusterroles')?.store.reader.find('', 'admin'));
    } finally {
      api.catalog.stop();
    }
  });
}

test('altered endpoints of the kubernetes service are corrected, unless servers share the store', () =>
  withBootstrapped('', async (api) => {
    const [endpoints, slices] = [
      api.catalog.find('', 'endpoints'),
      api.catalog.find('discovery.k8s.io', 'endpointslices'),
    ];
    assert.ok(endpoints && slices);
    const range = { served: resolveRuntimeConfig(''), serviceClusterIpRange: '10.0.0.0/24', now: () => 0 };
    const own = { ...options, ...range, advertised: '192.0.2.1' };
    await restoreKubernetesService(api, own);
    const read = async () => {
      const [first, second] = await Promise.all(
        [endpoints, slices].map(({ store }) => store.reader.get('default', 'kubernetes', NEWEST)),
      );
      return { subsets: first?.decode()['subsets'], endpoints: second?.decode()['endpoints'] };
    };
    const before = await read();
    const alter = async (): Promise<string> => {
      const stored = await endpoints.store.reader.get('default', 'kubernetes', NEWEST);
      const { uid = '' } = stored.decode().metadata;
      const update = { namespace: 'default', name: 'kubernetes', uid, subresource: '', parts: ['subsets'] };
      await updateOwned(endpoints, update, (object) => {
        object['subsets'] = [
          { addresses: [{ ip: '192.0.2.66' }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] },
        ];
      });
      return JSON.stringify((await read()).subsets);
    };
    assert.match(await alter(), /192\.0\.2\.66/);
    await restoreKubernetesService(api, { ...own, isShared: true });
    assert.match(JSON.stringify(await read()), /192\.0\.2\.66/);
    await restoreKubernetesService(api, own);
    assert.deepEqual(await read(), before);

    // The address type of a slice cannot change: the slice is deleted and re-created.
    await slices.store.delete(serverScope('default'), 'kubernetes', {});
    const [, slice] = kubernetesEndpoints('2001:db8::1', 6443);
    await ensureObjects(slice === undefined ? [] : [slice], api.endpointOf);
    assert.notDeepEqual(await read(), before);
    await restoreKubernetesService(api, own);
    assert.deepEqual(await read(), before);
    const revision = async () => (await slices.store.reader.get('default', 'kubernetes', NEWEST)).revision;
    const settled = await revision();
    await restoreKubernetesService(api, own);
    assert.equal(await revision(), settled);
  }));
