/** Custom resources in the store: in CBOR where the gate is on, in JSON where it is off, and read in both forms with either setting. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { decodeCbor, encodeCbor } from '@binnacle/apimachinery/cbor';
import { openEmbeddedKV } from '@binnacle/kv/embedded';
import { openEtcdKV } from '@binnacle/kv/etcd';
import { EtcdProcess, withoutEtcd } from '@binnacle/kv/testing';
import { start } from 'binnacle';
import { Cluster, definitionPath } from '../custom-resources/cluster.mjs';
import { definition } from '../custom-resources/definition.mjs';
import { Webhook } from '../custom-resources/webhook.mjs';

const GATE = { featureGates: 'CBORServingAndStorage=true' };
const NO_GATE = {};
const base = (version, plural) => `/apis/example.com/${version}/namespaces/default/${plural}`;
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const stores = [
  {
    name: 'embedded',
    skip: false,
    open: async () => ({
      options: () => ({}),
      openKV: (directory) => openEmbeddedKV({ directory: join(directory, 'store') }),
      stop: async () => undefined,
    }),
  },
  {
    name: 'etcd',
    skip: withoutEtcd(),
    open: async () => {
      const etcd = await EtcdProcess.start();
      return {
        options: () => ({ etcdServers: etcd.endpoint, etcdCompactionIntervalMs: 0 }),
        openKV: () => openEtcdKV({ endpoints: [etcd.endpoint] }),
        stop: () => etcd.stop(),
      };
    },
  },
];

for (const { name, skip, open } of stores) {
  describe(`custom resources in a store: ${name}`, { skip, timeout: 600_000 }, () => {
    let directory;
    let store;
    let webhook;
    let cluster;

    const stop = async () => {
      await cluster?.stop();
      cluster = undefined;
    };

    /** A server in place of the one before. */
    const serve = async (gate) => {
      await stop();
      cluster = new Cluster(await start({ dataDirectory: directory, controllers: '', ...store.options(), ...gate }));
    };

    /** The value of a key, while no server runs. */
    const valueOf = async (key) => {
      await stop();
      const kv = await store.openKV(directory);
      try {
        const { items } = await kv.range({ prefix: `/registry/${key}`, exact: true });
        assert.equal(items.length, 1, key);
        return Buffer.from(items[0].value);
      } finally {
        await kv.close();
      }
    };

    // As text, in which integers keep all their digits.
    const read = async (path) => (await cluster.send(200, 'GET', path)).text;
    const replace = async (path, text) => (await cluster.send(200, 'PUT', path, text)).text;
    const without = (text) => text.replace(/"resourceVersion":"\d+"/, '');

    /** Writes an object unchanged, twice: the first write re-encodes it, and the second does nothing. */
    const migrate = async (path) => {
      const before = await read(path);
      const first = await replace(path, before);
      assert.notEqual(first, before, 'written, though nothing has changed');
      assert.equal(without(first), without(before));
      assert.equal(await replace(path, first), first);
      return first;
    };

    before(async () => {
      directory = await mkdtemp(join(tmpdir(), 'binnacle-cbor-'));
      store = await open();
      webhook = await Webhook.start();
    });
    after(async () => {
      await stop();
      await webhook.stop();
      await store.stop();
      await rm(directory, { recursive: true });
    });

    it('is written in CBOR with the gate, in JSON without, and served by both', async () => {
      const path = `${base('v1', 'things')}/a`;
      const key = 'example.com/things/default/a';
      const spec = { big: 9007199254740993n, part: 1.5, text: 'grüße', none: {}, list: [null, true, -1] };
      const body = `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":${JSON.stringify(
        spec,
        (_, value) => (typeof value === 'bigint' ? `#${value}#` : value),
      ).replace(/"#(\d+)#"/, '$1')}}`;

      await serve(GATE);
      await cluster.define(
        definition({ versions: [{ name: 'v1', storage: true, schema: { openAPIV3Schema: anything } }] }),
      );
      const created = (await cluster.send(201, 'POST', base('v1', 'things'), body)).text;
      const stored = await valueOf(key);
      assert.equal(stored.toString('hex', 0, 3), 'd9d9f7');
      const { value } = decodeCbor(stored);
      assert.deepEqual(value.spec, spec);
      assert.equal(value.metadata.resourceVersion, undefined);
      assert.deepEqual(stored, encodeCbor(value), 'in the one order that there is');
      const definitionValue = await valueOf('apiextensions.k8s.io/customresourcedefinitions/things.example.com');
      assert.equal(definitionValue[0], 0x7b, 'definitions are never in CBOR');

      await serve(NO_GATE);
      assert.equal(await read(path), created);
      const migrated = await migrate(path);
      assert.match((await valueOf(key)).toString(), /^\{"apiVersion":"example\.com\/v1",.*"big":9007199254740993,/);

      await serve(GATE);
      assert.equal(await read(path), migrated);
      assert.ok((await read(base('v1', 'things'))).includes(migrated.trim()));
      await migrate(path);
      assert.deepEqual(await valueOf(key), stored);
    });

    it('of versions that a webhook converts as well', async () => {
      const key = 'example.com/gauges/default/a';
      const text = { type: 'string' };
      const schemaOf = (properties) => ({ openAPIV3Schema: { type: 'object', properties } });
      await serve(GATE);
      const gauges = definition({
        plural: 'gauges',
        kind: 'Gauge',
        versions: [
          { name: 'v1', storage: true, schema: schemaOf({ host: text, port: text }) },
          { name: 'v2', storage: false, schema: schemaOf({ address: text }) },
        ],
        spec: { conversion: webhook.conversion() },
      });
      await cluster.define(gauges);
      const gauge = { apiVersion: 'example.com/v2', kind: 'Gauge', metadata: { name: 'a' }, address: 'here:1' };
      await cluster.send(201, 'POST', base('v2', 'gauges'), gauge);
      const stored = await valueOf(key);
      assert.equal(stored.toString('hex', 0, 3), 'd9d9f7');
      const { apiVersion, host, port } = decodeCbor(stored).value;
      assert.deepEqual([apiVersion, host, port], ['example.com/v1', 'here', '1']);

      await serve(NO_GATE);
      assert.equal((await cluster.get(`${base('v2', 'gauges')}/a`)).address, 'here:1');
      await migrate(`${base('v2', 'gauges')}/a`);
      assert.match((await valueOf(key)).toString(), /^\{"apiVersion":"example\.com\/v1","host":"here",/);

      await serve(GATE);
      assert.equal((await cluster.get(`${base('v1', 'gauges')}/a`)).host, 'here');
      await migrate(`${base('v1', 'gauges')}/a`);
      assert.deepEqual(decodeCbor(await valueOf(key)).value, decodeCbor(stored).value);
      await serve(GATE);
      await cluster.send(200, 'DELETE', definitionPath('gauges.example.com'));
    });
  });
}
