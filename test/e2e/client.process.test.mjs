import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect as connectTcp } from 'node:net';
import { createServer as createHttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  applyObject,
  applyTransport,
  clientConfigOf,
  connect,
  DiscoveryClient,
  DynamicClient,
  isAlreadyExists,
  isConflict,
  isExpired,
  isInvalid,
  isNotFound,
  loadConfig,
  parseKubeconfig,
  RestMapper,
  retryOnConflict,
  SharedInformer,
  SharedInformerFactory,
} from '@binnacle/client';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { ConfigMap, Pod, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { start } from 'binnacle';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const configMap = (name, data = {}, metadata = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...metadata },
  data,
});
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'example.com/c' }] } },
  },
};

function withResolvers() {
  let resolve;
  const promise = new Promise((each) => {
    resolve = each;
  });
  return { promise, resolve };
}

async function collect(values) {
  const all = [];
  for await (const value of values) all.push(value);
  return all;
}

describe('the client, and a server', { timeout: 600_000 }, () => {
  let server;
  let transport;
  let client;
  const warnings = [];
  const others = [];
  const connected = (...args) => {
    others.push(connect(...args));
    return others.at(-1);
  };

  before(async () => {
    server = await start({ inMemory: true, controllers: '' });
    const config = await clientConfigOf(parseKubeconfig(server.kubeconfig));
    transport = connect(config, { onWarning: ({ text }) => warnings.push(text) });
    client = new DynamicClient(transport);
  });
  after(async () => {
    await Promise.all([transport, ...others].map((each) => each?.close()));
    await server?.stop();
  });

  it('creates, reads, writes and deletes', async () => {
    const maps = client.resource(configMaps).namespace('default');
    const created = await maps.create(configMap('a', { n: '1' }));
    await assert.rejects(maps.create(configMap('a')), isAlreadyExists);
    await assert.rejects(maps.create(configMap('A')), isInvalid);
    const updated = await maps.update({ ...created, data: { n: '2' } });
    await assert.rejects(maps.update({ ...created, data: { n: '3' } }), isConflict);
    assert.deepEqual(await maps.get('a'), updated);
    await retryOnConflict(async () => {
      const current = await maps.get('a');
      await maps.update({ ...current, data: { n: '4' } });
    });
    await maps.patch('a', { type: 'merge', body: { data: { m: '5' } } });
    await maps.patch('a', { type: 'json', body: [{ op: 'remove', path: '/data/n' }] });
    const patched = await maps.patch('a', { type: 'strategic', body: { metadata: { labels: { l: '6' } } } });
    assert.deepEqual([patched.data, patched.metadata.labels], [{ m: '5' }, { l: '6' }]);
    await maps.create(configMap('dry'), { dryRun: true });
    await assert.rejects(maps.get('dry'), isNotFound);
    await assert.rejects(maps.delete('a', { preconditions: { uid: 'other' } }), isConflict);
    await maps.delete('a');
    await assert.rejects(maps.get('a'), isNotFound);
  });

  it('applies on the server and on the client', async () => {
    const maps = client.resource(configMaps);
    const one = await maps.apply(configMap('applied', { a: '1' }), { fieldManager: 'one' });
    assert.equal(one.metadata.managedFields[0].manager, 'one');
    await assert.rejects(maps.apply(configMap('applied', { a: '2' }), { fieldManager: 'two' }), isConflict);
    const two = await maps.apply(configMap('applied', { a: '2' }), { fieldManager: 'two', force: true });
    assert.deepEqual(two.data, { a: '2' });
    const options = { resource: configMaps };
    const send = applyTransport(transport);
    assert.equal((await applyObject(send, configMap('local', { a: '1', b: '1' }), options)).outcome, 'created');
    const result = await applyObject(send, configMap('local', { a: '2' }), options);
    assert.deepEqual([result.outcome, result.object.data], ['configured', { a: '2' }]);
  });

  it('reads and writes status and scale', async () => {
    const all = client.resource(Deployment);
    const created = await all.create(deployment);
    const observed = await all.status.update({ ...created, status: { ...created.status, observedGeneration: 1 } });
    assert.equal(observed.status.observedGeneration, 1);
    const { scale } = all.namespace('default');
    const current = await scale.get('web');
    assert.equal((await scale.update({ ...current, spec: { replicas: 3 } })).spec.replicas, 3);
    assert.equal((await scale.patch('web', { type: 'merge', body: { spec: { replicas: 4 } } })).spec.replicas, 4);
  });

  it('evicts pods and requests tokens', async () => {
    const accounts = client.resource(ServiceAccount).namespace('default');
    const metadata = { name: 'worker', namespace: 'default' };
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
    const { metadata: written } = await accounts.create(account);
    const { status } = await accounts.token.create('worker', { spec: { expirationSeconds: 600 } });
    const self = connected({ server: server.url, insecureSkipTlsVerify: true, token: status.token });
    const refused = new DynamicClient(self).resource(ConfigMap).namespace('default').list();
    await assert.rejects(refused, (error) => error.message.includes('system:serviceaccount:default:worker'));
    assert.ok(written.uid);
    const pods = client.resource(Pod).namespace('default');
    const spec = { serviceAccountName: 'worker', containers: [{ name: 'c', image: 'example.com/c' }] };
    await pods.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'evicted' }, spec });
    await pods.eviction.create('evicted', { deleteOptions: { gracePeriodSeconds: 0 } }, { dryRun: true });
    assert.equal((await pods.get('evicted')).metadata.deletionTimestamp, undefined);
    await pods.eviction.create('evicted', { deleteOptions: { gracePeriodSeconds: 0 } });
    await assert.rejects(pods.get('evicted'), isNotFound);
  });

  it('shares informers of whole objects and of metadata alone', async () => {
    const maps = client.resource(ConfigMap).namespace('default');
    await maps.create(configMap('shared', { large: 'x'.repeat(1000) }));
    const factory = new SharedInformerFactory(client);
    const whole = factory.informer(ConfigMap, { namespace: 'default' });
    const metadata = factory.metadata(ConfigMap);
    const controller = new AbortController();
    const running = factory.run(controller.signal);
    await factory.synced();
    const { promise: changed, resolve } = withResolvers();
    metadata.addHandler({ onUpdate: (before, after) => resolve([before, after]) });
    await maps.patch('shared', { type: 'merge', body: { metadata: { labels: { l: '1' } } } });
    for (const object of await changed) {
      assert.deepEqual(Object.keys(object).toSorted(), ['apiVersion', 'kind', 'metadata']);
      assert.deepEqual([object.apiVersion, object.kind], ['meta.k8s.io/v1', 'PartialObjectMetadata']);
    }
    assert.equal(metadata.lister.namespace('default').list({ labelSelector: 'l=1' }).length, 1);
    assert.equal(whole.lister.namespace('default').get('shared').data.large.length, 1000);
    controller.abort();
    await running;
  });

  it('lists in pages, selects, and deletes by selector', async () => {
    const maps = client.resource(configMaps).namespace('default');
    const names = Array.from({ length: 7 }, (_, index) => `page-${index}`);
    await Promise.all(names.map((name) => maps.create(configMap(name, {}, { labels: { paged: 'yes' } }))));
    const pages = await collect(maps.pages({ limit: 3, labelSelector: 'paged' }));
    assert.deepEqual(
      pages.map(({ items }) => items.length),
      [3, 3, 1],
    );
    assert.equal(new Set(pages.map(({ metadata }) => metadata.resourceVersion)).size, 1);
    const items = await collect(maps.items({ limit: 3, labelSelector: 'paged' }));
    assert.deepEqual(
      items.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      names.map((name) => `ConfigMap ${name}`),
    );
    const [only] = (await maps.list({ labelSelector: 'paged', limit: 1, metadataOnly: true })).items;
    assert.equal(only.kind, 'PartialObjectMetadata');
    await maps.deleteCollection({ labelSelector: 'paged' });
    assert.equal((await maps.list({ labelSelector: 'paged' })).items.length, 0);
  });

  it('watches', async () => {
    const maps = client.resource(configMaps).namespace('default');
    const { metadata } = await maps.list();
    const seen = [];
    const watching = (async () => {
      for await (const { type, object } of maps.watch({ resourceVersion: metadata.resourceVersion })) {
        seen.push(`${type} ${object.metadata.name}`);
        if (type === 'DELETED') break;
      }
    })();
    await maps.create(configMap('watched'));
    await maps.patch('watched', { type: 'merge', body: { data: { a: 'b' } } });
    await maps.delete('watched');
    await watching;
    assert.deepEqual(seen, ['ADDED watched', 'MODIFIED watched', 'DELETED watched']);
    assert.deepEqual(
      await collect(maps.watch({ resourceVersion: metadata.resourceVersion, timeoutSeconds: 1, labelSelector: 'x' })),
      [],
    );
    await assert.rejects(maps.list({ continue: 'nonsense' }), (error) => error.code === 400 && !isExpired(error));
  });

  it('receives warnings and supports signals and timeouts', async () => {
    const maps = client.resource(configMaps).namespace('default');
    await maps.create({ ...configMap('warned'), nonsense: 1 });
    assert.match(warnings.join(), /unknown field "nonsense"/);
    const watch = maps.watch({ resourceVersion: '0', labelSelector: 'none', signal: AbortSignal.timeout(50) });
    await assert.rejects(watch.next(), { name: 'TimeoutError' });
    const late = maps.watch({ resourceVersion: '0', labelSelector: 'none', timeout: 50 });
    await assert.rejects(late.next(), /GET \/api\/v1\/namespaces\/default\/configmaps: no answer within 50 ms/);
  });

  it('discovers resources and their short names', async () => {
    const discovery = new DiscoveryClient(transport);
    const mapper = new RestMapper(discovery);
    assert.deepEqual((await mapper.resourceFor('deploy')).resource, deployments);
    const { resource, namespaced } = await mapper.resourceForKind({ group: '', kind: 'Node' });
    assert.deepEqual([resource.resource, namespaced], ['nodes', false]);
    await assert.rejects(mapper.resourceFor('gadgets'), { name: 'NoMatchError' });
    const plain = new DiscoveryClient({
      ...transport,
      send: (request, options) => transport.send({ ...request, headers: { accept: 'application/json' } }, options),
    });
    const simplified = ({ groups }) =>
      groups
        .flatMap(({ versions }) => versions.flatMap(({ resources }) => resources))
        .map((each) => ({ ...each, subresources: each.subresources.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }))
        .map((each) => JSON.stringify(each))
        .sort();
    assert.deepEqual(simplified(await plain.surface()), simplified(await discovery.surface()));
    assert.match((await discovery.serverVersion()).gitVersion, /^v1\./);
  });

  it('authenticates by token, and is refused without credentials', async () => {
    const { clientCertificate: _, clientKey: __, ...byToken } = server.clientConfig;
    const admin = connected(byToken);
    assert.ok(await new DynamicClient(admin).resource(configMaps).list());
    const anonymous = connected({
      server: server.url,
      certificateAuthority: byToken.certificateAuthority,
      token: 'wrong',
    });
    await assert.rejects(new DynamicClient(anonymous).resource(configMaps).list(), (error) => error.code === 401);
  });

  for (const stream of [false, true]) {
    it(`keeps its own cache from ${stream ? 'a stream' : 'a list'} and a watch`, async () => {
      const maps = client.resource(configMaps).namespace('default');
      const marker = `informed-${stream}`;
      const label = { labels: { informed: marker } };
      await maps.create(configMap(`${marker}-1`, {}, label));
      const heard = [];
      const errors = [];
      const informer = new SharedInformer(maps, {
        stream,
        select: { labelSelector: `informed=${marker}` },
        indexes: { data: ({ data = {} }) => Object.values(data) },
        onError: (error) => errors.push(error),
      });
      const { promise: gone, resolve: sawDeletion } = withResolvers();
      informer.addHandler({
        onAdd: ({ metadata }, initial) => heard.push(`+${metadata.name} ${initial}`),
        onUpdate: (before, { metadata, data }) => heard.push(`${metadata.name} ${before.data?.k} -> ${data.k}`),
        onDelete: ({ metadata }, unknown) => {
          heard.push(`-${metadata.name} ${unknown}`);
          sawDeletion();
        },
      });
      const controller = new AbortController();
      const running = informer.run(controller.signal);
      await informer.synced();
      assert.equal(informer.indexer.size, 1);
      await maps.create(configMap(`${marker}-2`, { k: 'v' }, label));
      await maps.patch(`${marker}-1`, { type: 'merge', body: { data: { k: 'w' } } });
      await maps.delete(`${marker}-2`);
      await gone;
      assert.deepEqual(heard, [
        `+${marker}-1 true`,
        `+${marker}-2 false`,
        `${marker}-1 undefined -> w`,
        `-${marker}-2 false`,
      ]);
      assert.deepEqual(
        informer.indexer.byIndex('data', 'w').map(({ metadata }) => metadata.name),
        [`${marker}-1`],
      );
      assert.equal(informer.state.phase, 'watching');
      assert.equal(informer.state.streams, stream, 'the server streams what there is');
      controller.abort();
      await running;
      assert.deepEqual(errors, []);
    });
  }

  it('trusts only the certificate authority unless told otherwise', async () => {
    const { token } = server.clientConfig;
    const distrustful = connected({ server: server.url, token });
    await assert.rejects(new DynamicClient(distrustful).resource(configMaps).list(), {
      name: 'ConnectionError',
      stage: 'connecting',
    });
    const misled = connected({ ...server.clientConfig, tlsServerName: 'elsewhere.example.com' });
    await assert.rejects(new DynamicClient(misled).resource(configMaps).list(), /elsewhere.example.com/);
    const trusting = connected({ server: server.url, token, insecureSkipTlsVerify: true });
    assert.ok(await new DynamicClient(trusting).resource(configMaps).list());
  });

  it('reads kubeconfig files and uses proxies', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'client-'));
    const connects = [];
    const proxy = createHttpServer().on('connect', (request, socket, head) => {
      connects.push(request.url);
      const [host, port] = request.url.split(':');
      const through = connectTcp(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connected\r\n\r\n');
        through.write(head);
        socket.pipe(through).pipe(socket);
      });
      through.on('error', () => socket.destroy());
      socket.on('error', () => through.destroy());
    });
    try {
      await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      const path = join(folder, 'config');
      const text = server.kubeconfig.replace(
        '  cluster:\n',
        `  cluster:\n    proxy-url: http://127.0.0.1:${proxy.address().port}\n`,
      );
      writeFileSync(path, text);
      const proxied = connected(await loadConfig({ path }));
      assert.ok(await new DynamicClient(proxied).resource(configMaps).list());
      assert.deepEqual(connects, [new URL(server.url).host]);
    } finally {
      proxy.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('runs credential plugins and reads token files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'client-'));
    try {
      const { token, certificateAuthority } = server.clientConfig;
      const status = { token };
      const answer = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status };
      writeFileSync(join(folder, 'plugin.mjs'), `console.log(process.env.ANSWER)`);
      writeFileSync(join(folder, 'token'), `${token}\n`);
      writeFileSync(join(folder, 'ca.crt'), certificateAuthority);
      const exec = {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: process.execPath,
        args: [join(folder, 'plugin.mjs')],
        env: [{ name: 'ANSWER', value: JSON.stringify(answer) }],
        interactiveMode: 'Never',
      };
      const path = join(folder, 'config');
      const context = (user) => ({ name: user, context: { cluster: 'c', user } });
      writeFileSync(
        path,
        JSON.stringify({
          clusters: [{ name: 'c', cluster: { server: server.url, 'certificate-authority': 'ca.crt' } }],
          users: [
            { name: 'plugin', user: { exec } },
            { name: 'file', user: { tokenFile: 'token' } },
            { name: 'none', user: { exec: { ...exec, command: './none', installHint: 'make one' } } },
            { name: 'failing', user: { exec: { ...exec, args: ['-e', 'process.exit(3)'] } } },
          ],
          contexts: ['plugin', 'file', 'none', 'failing'].map(context),
        }),
      );
      const list = async (name) => {
        const config = await loadConfig({ path, context: name });
        return new DynamicClient(connected(config)).resource(configMaps).list();
      };
      assert.ok(await list('plugin'));
      assert.ok(await list('file'));
      await assert.rejects(list('none'), /exec plugin .*none: there is no such program\n\nmake one/);
      await assert.rejects(list('failing'), /failed with exit code 3/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('does not keep an idle process alive', async () => {
    const program = `
      import { connect, DynamicClient } from '@binnacle/client';
      const client = new DynamicClient(connect(JSON.parse(process.env.CONFIG)));
      await client.resource({ group: '', version: 'v1', resource: 'configmaps' }).list();`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: import.meta.dirname,
      env: { ...process.env, CONFIG: JSON.stringify(server.clientConfig) },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
  });

  it('reconnects after a lost connection, and reports an unreachable server', async () => {
    const sockets = new Set();
    const { port } = new URL(server.url);
    const relay = createServer((socket) => {
      const through = connectTcp(Number(port), '127.0.0.1');
      sockets.add(socket);
      socket.on('error', () => through.destroy()).on('close', () => through.destroy());
      through.on('error', () => socket.destroy()).on('close', () => socket.destroy());
      socket.pipe(through).pipe(socket);
    });
    await new Promise((resolve) => relay.listen(0, '127.0.0.1', resolve));
    const relayed = connected({ ...server.clientConfig, server: `https://127.0.0.1:${relay.address().port}` });
    const maps = new DynamicClient(relayed).resource(configMaps).namespace('default');
    const { metadata } = await maps.list();
    const watch = maps.watch({ resourceVersion: metadata.resourceVersion });
    const first = watch.next();
    await maps.create(configMap('seen'));
    assert.equal((await first).value.object.metadata.name, 'seen');
    assert.equal(sockets.size, 1);
    const next = watch.next();
    for (const socket of sockets) socket.destroy();
    await assert.rejects(next, { name: 'ConnectionError', stage: 'broken' });
    assert.ok(await maps.list());
    assert.equal(sockets.size, 2);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => relay.close(resolve));
    await assert.rejects(maps.list(), /ECONNREFUSED/);
  });
});
