import { SharedInformer } from '@binnacle/client/cache';
import { TimeoutError } from '@binnacle/apimachinery/clock';
import { connect, ConnectionError } from '@binnacle/client/transport';
import type { DynamicClient, ResourceClient } from '@binnacle/client/dynamic';
import { ConfigMap } from '@binnacle/client/kinds/core/v1';
import {
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInternalError,
  isNotFound,
  isTooManyRequests,
  retryOnConflict,
} from '@binnacle/client/rest';
import { eventually } from '@binnacle/client/testing';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { start } from '../embed/index.js';
import { type TestServer, testServer, type WatchEnding } from './index.js';

const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' };

const definition = (plural: string, kind: string) => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.example.com }
spec:
  group: example.com
  names: { plural: ${plural}, kind: ${kind} }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
---
`;

const configMap = (name: string, data: Record<string, string> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

const configMaps = (client: DynamicClient): ResourceClient<ConfigMap> =>
  client.resource(ConfigMap).namespace('default');

async function namesOf(client: DynamicClient, resourceVersion = ''): Promise<string> {
  const { items } = await configMaps(client).list({
    resourceVersion,
    fieldSelector: 'metadata.name!=kube-root-ca.crt',
  });
  return items.map(({ metadata }) => metadata.name).join(' ');
}

/** Runs the informer until the end of the block. */
function running(informer: SharedInformer<ConfigMap>): AsyncDisposable {
  const stopping = new AbortController();
  const done = informer.run(stopping.signal);
  return {
    [Symbol.asyncDispose]: () => {
      stopping.abort();
      return done;
    },
  };
}

/** Disables control loops, which would write concurrently with the tests. */
const quiet = { controllers: '' };

describe('testServer', () => {
  let base: TestServer;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-definitions-'));
    await writeFile(join(folder, 'widgets.yaml'), definition('widgets', 'Widget') + definition('gadgets', 'Gadget'));
    await writeFile(join(folder, 'notes.txt'), 'not a definition');
    base = await testServer({ ...quiet, definitions: [folder] });
  });
  after(async () => {
    await base.stop();
    await rm(folder, { recursive: true });
  });

  it('establishes its definitions', async () => {
    await using server = await base.fork();
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'default' } };
    await server.client.resource(widgets).create(widget);
    assert.equal((await server.client.resource(widgets).list()).items.length, 1);
  });

  it('reports errors in definitions', async () => {
    await using server = await base.fork();
    const [empty, clash] = [join(folder, 'empty.yaml'), join(folder, 'clash.yml')];
    await writeFile(empty, 'kind: ConfigMap');
    await writeFile(clash, definition('wodgets', 'Widget'));
    await assert.rejects(server.installDefinitions(empty), /no CustomResourceDefinition in .*empty.yaml/);
    await assert.rejects(server.installDefinitions(clash), /^Error: wodgets.example.com: "Widget.*" is already in use/);
    await assert.rejects(server.installDefinitions(join(folder, 'none')), /none: /);
    await Promise.all([rm(empty), rm(clash)]);
  });

  it('writes a kubeconfig for other programs, and removes it when it stops', async () => {
    const server = await base.fork();
    const path = await server.kubeconfigFile();
    assert.match(await readFile(path, 'utf8'), new RegExp(server.url));
    await server.stop();
    await server.stop();
    assert.equal(existsSync(path), false);
  });

  it('acts as another user', async () => {
    const jane = base.clientAs({ user: 'jane', groups: ['system:authenticated'] });
    await assert.rejects(configMaps(jane).list(), isForbidden);
  });

  describe('forks', () => {
    it('begin with the same objects, versions, uids and history, and diverge from then on', async () => {
      await using original = await base.fork();
      const created = await configMaps(original.client).create(configMap('a', { color: 'blue' }));
      const changed = await configMaps(original.client).update({ ...created, data: { color: 'red' } });
      await using fork = await original.fork();
      assert.deepEqual(await configMaps(fork.client).get('a'), changed);
      const past = await configMaps(fork.client).list({
        resourceVersion: created.metadata.resourceVersion ?? '',
        resourceVersionMatch: 'Exact',
      });
      assert.deepEqual(
        past.items.map(({ data }) => data),
        [{ color: 'blue' }],
      );
      await configMaps(fork.client).create(configMap('of-the-fork'));
      await configMaps(original.client).delete('a');
      await configMaps(original.client).create(configMap('of-the-original'));
      await original.stop();
      await using second = await fork.fork();
      for (const { client } of [fork, second]) assert.equal(await namesOf(client), 'a of-the-fork');
    });

    it('have no fault rules, and their own definitions', async () => {
      await using original = await base.fork();
      original.faults.add({ match: { resource: 'configmaps' }, action: { type: 'answer', code: 500 } });
      await using fork = await original.fork();
      await assert.rejects(configMaps(original.client).list(), isInternalError);
      await configMaps(fork.client).list();
      await fork.client
        .resource({ group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' })
        .delete('widgets.example.com');
      await eventually(() => assert.rejects(fork.client.resource(widgets).list(), isNotFound));
      assert.deepEqual((await original.client.resource(widgets).list()).items, []);
    });
  });
});

describe('snapshots of a server', () => {
  it('return with all objects, at higher versions, and watches see the difference', async () => {
    await using server = await testServer(quiet);
    const client = configMaps(server.client);
    const kept = await client.create(configMap('kept', { color: 'blue' }));
    const untouched = await client.create(configMap('untouched'));
    const clean = server.snapshot();
    for (const color of ['red', 'green']) {
      const { metadata } = await client.update({ ...(await client.get('kept')), data: { color } });
      await client.delete('untouched');
      const made = await client.create(configMap('made'));
      const watching = client.watch({ resourceVersion: made.metadata.resourceVersion });
      await server.reset(clean);
      const restored = await client.get('kept');
      assert.deepEqual(
        { ...restored, metadata: { ...restored.metadata, resourceVersion: kept.metadata.resourceVersion } },
        kept,
      );
      assert.ok(Number(restored.metadata.resourceVersion) > Number(metadata.resourceVersion));
      assert.equal((await client.get('untouched')).metadata.uid, untouched.metadata.uid);
      assert.equal(await namesOf(server.client), 'kept untouched');
      const seen: string[] = [];
      for await (const event of watching) {
        if (event.type === 'BOOKMARK') continue;
        seen.push(`${event.type} ${event.object.metadata.name}`);
        if (seen.length === 3) break;
      }
      assert.deepEqual(seen.sort(), ['ADDED untouched', 'DELETED made', 'MODIFIED kept']);
    }
  });

  it('belong to one server', async () => {
    await using server = await testServer(quiet);
    await using fork = await server.fork();
    await assert.rejects(fork.reset(server.snapshot()), /belongs to another server/);
  });
});

describe('faults of a server', () => {
  let server: TestServer;
  before(async () => {
    server = await testServer(quiet);
  });
  after(() => server.stop());

  const fresh = async (name: string): Promise<ResourceClient<ConfigMap>> => {
    const client = configMaps(server.client);
    await client.create(configMap(name));
    return client;
  };

  it('retryOnConflict retries through all conflicts', async () => {
    const client = await fresh('conflicts');
    using conflicts = server.faults.add({
      match: { verb: 'update', resource: 'configmaps', name: 'conflicts' },
      times: 3,
      action: { type: 'answer', code: 409 },
    });
    const write = async () => client.update({ ...(await client.get('conflicts')), data: { written: 'yes' } });
    await assert.rejects(retryOnConflict(write, { attempts: 2 }), isConflict);
    assert.equal(conflicts.hits, 2);
    assert.deepEqual((await retryOnConflict(write)).data, { written: 'yes' });
    assert.equal(conflicts.hits, 3);
  });

  it('refuse creates with AlreadyExists, and requests with 429', async () => {
    const client = configMaps(server.client);
    const match = { verb: 'create', resource: 'configmaps' };
    server.faults.add({ match, times: 1, action: { type: 'answer', code: 409 } });
    server.faults.add({ match, times: 1, action: { type: 'answer', code: 429, retryAfterSeconds: 0 } });
    await assert.rejects(client.create(configMap('refused')), isAlreadyExists);
    await assert.rejects(client.create(configMap('refused')), isTooManyRequests);
    await client.create(configMap('refused'));
  });

  it('drop connections, and delay requests', async () => {
    const client = configMaps(server.client);
    server.faults.add({
      match: { verb: 'create', resource: 'configmaps' },
      times: 1,
      action: { type: 'drop' },
    });
    await assert.rejects(client.create(configMap('dropped')), (error) => error instanceof ConnectionError);
    await assert.rejects(client.get('dropped'), isNotFound);
    using _ = server.faults.add({
      match: { verb: 'get', resource: 'configmaps' },
      action: { type: 'delay', milliseconds: 3_600_000 },
    });
    await assert.rejects(client.get('dropped', { timeout: 100 }), (error) => error instanceof TimeoutError);
  });

  it('hold the cache: reads of any version are stale, and other reads are fresh', async () => {
    const client = await fresh('before');
    const isStale = async (): Promise<boolean> => {
      const { items } = await client.list({ resourceVersion: '0', fieldSelector: 'metadata.name=meanwhile' });
      return items.length === 0;
    };
    assert.equal(await isStale(), true);
    const hold = server.faults.add({ match: { resource: 'configmaps' }, action: { type: 'holdCache' } });
    const { metadata } = await client.create(configMap('meanwhile'));
    assert.equal(await isStale(), true);
    await client.get('meanwhile');
    await client.get('meanwhile', { resourceVersion: metadata.resourceVersion });
    assert.match(await namesOf(server.client), /meanwhile/);
    assert.equal(hold.hits, 1);
    hold.remove();
    assert.equal(await isStale(), false);
  });

  it('hold the cache of custom resources that are defined later', async () => {
    await using own = await server.fork();
    const hold = own.faults.add({ match: { resource: 'widgets' }, action: { type: 'holdCache' } });
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-definitions-'));
    await writeFile(join(folder, 'widgets.yaml'), definition('widgets', 'Widget'));
    await own.installDefinitions(folder);
    await rm(folder, { recursive: true });
    const client = own.client.resource(widgets).namespace('default');
    const count = async () => (await client.list({ resourceVersion: '0' })).items.length;
    assert.equal(await count(), 0);
    await client.create({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } });
    assert.equal(await count(), 0);
    hold.remove();
    assert.equal(await count(), 1);
  });

  for (const how of ['end', 'break', 'expire'] satisfies WatchEnding[]) {
    it(`an informer misses no event when its watch is cut (${how})`, async () => {
      await using own = await server.fork();
      const client = configMaps(own.client);
      const failures: unknown[] = [];
      const informer = new SharedInformer(client, { onError: (error) => failures.push(error) });
      const seen: string[] = [];
      informer.addHandler({
        onAdd: ({ metadata }) => seen.push(`+${metadata.name}`),
        onDelete: ({ metadata }) => seen.push(`-${metadata.name}`),
      });
      await using _ = running(informer);
      await informer.synced();
      seen.length = 0;
      const cuts = own.faults.add({
        match: { verb: 'watch', resource: 'configmaps' },
        times: 2,
        action: { type: 'cutWatch', afterEvents: 1, how },
      });
      const expected: string[] = [];
      for (let round = 0; round < 4; round++) {
        await client.create(configMap(`w${round}`));
        expected.push(`+w${round}`);
        await eventually(() => assert.deepEqual(seen, expected));
      }
      assert.equal(cuts.hits, 2);
      assert.equal(failures.length, how === 'end' ? 0 : 2);
    });
  }

  describe('over HTTP', () => {
    const send = (client: TestServer['transport'], method: string, path: string, body?: unknown) =>
      client
        .send({ method, path, headers: {}, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
        .then(async (response) => {
          const chunks: Uint8Array[] = [];
          for await (const chunk of response.body) chunks.push(chunk);
          return [response.status, JSON.parse(Buffer.concat(chunks).toString()) as unknown] as const;
        });

    it('accepts rules from the administrator, and returns their hit counts', async () => {
      const rule = { match: { verb: 'delete' }, times: 1, action: { type: 'answer', code: 403 } };
      const [status, added] = await send(server.transport, 'POST', '/debug/faults', rule);
      assert.equal(status, 201);
      const client = await fresh('kept');
      await assert.rejects(client.delete('kept'), isForbidden);
      await client.delete('kept');
      const { id } = added as { id: string };
      const path = `/debug/faults/${id}`;
      assert.deepEqual(await send(server.transport, 'DELETE', path), [200, { ...rule, id, hits: 1 }]);
      assert.equal((await send(server.transport, 'DELETE', path))[0], 404);
    });

    it('refuses rules from other users', async () => {
      await using jane = connect(server.clientConfig, {
        impersonate: { user: 'jane', groups: ['system:authenticated'] },
      });
      for (const method of ['GET', 'POST', 'DELETE']) {
        assert.equal((await send(jane, method, '/debug/faults', { action: { type: 'drop' } }))[0], 403);
      }
    });

    it('is absent by default', async () => {
      await using ordinary = await start({ inMemory: true, ...quiet });
      assert.equal(ordinary.faults, undefined);
      await using transport = connect(ordinary.clientConfig);
      const answer = await transport.send({ method: 'GET', path: '/debug/faults', headers: {} });
      answer.cancel();
      assert.equal(answer.status, 404);
    });
  });
});
