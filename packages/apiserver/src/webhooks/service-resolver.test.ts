import type { EndpointSlice } from '@binnacle/api/types/discovery-v1';
import type { Service } from '@binnacle/api/types/core-v1';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { openMemoryKV } from '@binnacle/kv/memory';
import { kindSchema } from '@binnacle/api/table';
import { Cacher } from '../cacher/index.js';
import { BuiltInCodec, VersionSet } from '../codec/index.js';
import { KindReader, ResourceReader } from '../registry/index.js';
import { ObjectStorage } from '../storage/index.js';
import { clusterServices } from './service-resolver.js';

/** A reader of these objects of one kind, backed by a store. */
async function readerOf(group: string, kind: string, resource: string, objects: readonly JsonObject[]) {
  const groupVersionKind = { group, version: 'v1', kind };
  const schema = kindSchema(groupVersionKind);
  assert.ok(schema);
  const codec = new BuiltInCodec(groupVersionKind, schema);
  const versions = new Map([[codec.apiVersion, codec]]);
  const prefix = `/registry/${resource}/`;
  const set = new VersionSet({ storage: codec, versions, selectableFields: () => ({}) });
  const storage = new ObjectStorage({ kv: openMemoryKV(), codec: set, prefix });
  for (const [index, object] of objects.entries()) {
    const { object: decoded } = codec.decode({ ...object, kind, apiVersion: codec.apiVersion });
    await storage.create(`${prefix}ours/${decoded.metadata.name ?? String(index)}`, decoded);
  }
  const info = { resource: { group, resource }, kind: { group, kind }, namespaced: true, prefix };
  const cacher = new Cacher({ storage, clock: new VirtualClock(), random: seededRandom(1) });
  return new ResourceReader(info, storage, cacher, { watchCache: false });
}

async function resolve(
  spec: JsonObject | undefined,
  slices: readonly JsonObject[] = [],
  { port, toEndpoints = true }: { port?: number; toEndpoints?: boolean } = {},
) {
  const services = await readerOf('', 'Service', 'services', spec ? [{ metadata: { name: 'hook' }, spec }] : []);
  const endpointSlices = await readerOf('discovery.k8s.io', 'EndpointSlice', 'endpointslices', slices);
  const resolver = clusterServices({
    services: new KindReader<Service>(() => services),
    endpointSlices: new KindReader<EndpointSlice>(() => endpointSlices),
    random: seededRandom(1),
    toEndpoints,
  });
  return resolver({ name: 'hook', namespace: 'ours', ...(port === undefined ? {} : { port }) });
}

const spec: JsonObject = { clusterIP: '10.0.0.9', ports: [{ name: 'https', port: 443, targetPort: 8443 }] };

function slice(name: string, addresses: readonly (readonly [address: string, ready: boolean])[], service = 'hook') {
  return {
    metadata: { name, labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    ports: [
      { name: 'metrics', port: 9000 },
      { name: 'https', port: 8443 },
    ],
    endpoints: addresses.map(([address, ready]) => ({ addresses: [address], conditions: { ready } })),
  };
}

describe('the address of a service', () => {
  it('is a ready endpoint of its slices, at the port of that name', async () => {
    const slices = [
      slice('a', [
        ['10.1.0.1', false],
        ['10.1.0.2', true],
      ]),
      slice('b', [['10.1.0.3', true]], 'other'),
    ];
    assert.deepEqual((({ host, port }) => ({ host, port }))(await resolve(spec, slices)), {
      host: '10.1.0.2',
      port: 8443,
    });
  });

  it('is the cluster IP when endpoints are not asked for', async () => {
    const ready = [slice('a', [['10.1.0.2', true]])];
    assert.deepEqual(await resolve(spec, ready, { toEndpoints: false }), { host: '10.0.0.9', port: 443 });
  });

  it('falls back to the cluster IP without slices, and to the name for an ExternalName', async () => {
    assert.deepEqual(await resolve(spec), { host: '10.0.0.9', port: 443 });
    const external = { type: 'ExternalName', externalName: 'hooks.example.com' };
    assert.deepEqual(await resolve(external, [], { port: 8443 }), { host: 'hooks.example.com', port: 8443 });
  });

  it('is missing, with the reason', async () => {
    const message = (text: string) => ({ name: 'WebhookCallError', message: text });
    await assert.rejects(resolve(undefined), message('service "hook" not found'));
    await assert.rejects(resolve(spec, [], { port: 444 }), message('no service port 444 found for service "hook"'));
    const unready = [slice('a', [['10.1.0.1', false]])];
    await assert.rejects(resolve(spec, unready), message('no endpoints available for service "hook"'));
    const headless = { ...spec, clusterIP: 'None' };
    await assert.rejects(resolve(headless), message('cannot route to service with ClusterIP "None"'));
  });
});
