import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { resolveRuntimeConfig } from '@binnacle/api/table';
import { StatusError } from '@binnacle/apimachinery/status';
import { RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { createDiscovery, type Discovery } from './discovery.js';
import { combineSources, type DiscoveredGroup, servedSource } from './source.js';

const aggregatedAccept =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,' +
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

const create = (source = servedSource(resolveRuntimeConfig(undefined))): Discovery =>
  createDiscovery({ source, serverAddress: () => '192.0.2.2:26443', build: 'test', otherPaths: () => ['/livez'] });

async function get(
  discovery: Discovery,
  path: string,
  headers: Record<string, string> = {},
  query = '',
): Promise<FakeExchange> {
  const exchange = new FakeExchange({ url: path, headers });
  const handler = discovery.handlerFor(path);
  assert.ok(handler, path);
  await handler(new RequestContext(exchange, path, new URLSearchParams(query), 0));
  return exchange;
}

interface Recorded {
  readonly name: string;
  readonly request: { readonly path: string; readonly accept?: string };
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

const recorded = readFileSync(new URL('../../src/discovery/testdata/recorded.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

describe('discovery', () => {
  const discovery = create();

  for (const { name, request, status, type, body } of recorded) {
    it(`matches the recorded answer: ${name}`, async () => {
      const headers = request.accept === undefined ? {} : { accept: request.accept };
      const exchange = await get(discovery, request.path, headers);
      assert.equal(exchange.status, status);
      assert.equal(exchange.responseHeaders['content-type'], type);
      if (typeof body === 'string') assert.equal(exchange.body, body);
      // The recorded order of keys must match too.
      else assert.equal(exchange.body, `${JSON.stringify(body)}\n`);
    });
  }

  it('answers an unknown version with a Status, and an unknown group like any unknown path', async () => {
    await assert.rejects(
      get(discovery, '/apis/apps/v9'),
      (error) => error instanceof StatusError && error.code === 404,
    );
    assert.equal((await get(discovery, '/apis/nope.example.com/v1')).body, '404 page not found\n');
    assert.equal(discovery.handlerFor('/apis/apps/v1/deployments'), undefined);
    for (const path of ['/apis//v1', '/apis//']) assert.equal((await get(discovery, path)).status, 404);
    assert.equal(discovery.handlerFor('/livez'), undefined);
  });

  it('accepts a trailing slash', async () => {
    assert.equal((await get(discovery, '/apis/')).body, (await get(discovery, '/apis')).body);
  });

  it('sends an aggregated document once, then 304', async () => {
    const first = await get(discovery, '/apis', { accept: aggregatedAccept });
    assert.equal(first.responseHeaders['vary'], 'Accept');
    assert.equal(first.responseHeaders['cache-control'], 'public');
    const etag = first.responseHeaders['etag'];
    assert.ok(typeof etag === 'string');
    assert.match(etag, /^"[0-9A-F]{128}"$/);
    const second = await get(discovery, '/apis', { accept: aggregatedAccept, 'if-none-match': etag });
    assert.equal(second.status, 304);
    assert.equal(second.body, '');
    assert.equal(second.responseHeaders['content-type'], undefined);
  });

  it('has no aggregated form below the roots, and none in the removed version', async () => {
    assert.match((await get(discovery, '/api/v1', { accept: aggregatedAccept })).body, /^{"kind":"APIResourceList"/);
    const beta = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';
    assert.match((await get(discovery, '/apis', { accept: beta })).body, /^{"kind":"APIGroupList"/);
    await assert.rejects(
      get(discovery, '/apis', { accept: 'text/html' }),
      (error) => error instanceof StatusError && error.code === 406,
    );
  });

  it('writes YAML on request', async () => {
    const exchange = await get(discovery, '/apis/apps', { accept: 'application/yaml' });
    assert.equal(exchange.responseHeaders['content-type'], 'application/yaml');
    assert.match(exchange.body, /^kind: APIGroup$/m);
  });

  it('indents on request', async () => {
    const exchange = await get(discovery, '/apis/apps', {}, 'pretty=true');
    assert.match(exchange.body, /^{\n {2}"kind": "APIGroup",\n/);
  });

  it('shows a version that clients can parse, and the root paths', async () => {
    const version = JSON.parse((await get(discovery, '/version')).body) as Record<string, string>;
    assert.deepEqual([version['major'], version['minor']], ['1', '36']);
    assert.match(version['gitVersion'] ?? '', /^v1\.36\.\d+\+test$/);
    const { paths } = JSON.parse((await get(discovery, '/')).body) as { paths: string[] };
    assert.deepEqual(paths, [...paths].sort());
    for (const path of ['/api', '/apis/apps/v1', '/livez', '/version']) assert.ok(paths.includes(path), path);
  });

  it('follows its source', async () => {
    const groups: DiscoveredGroup[] = [];
    const custom = { revision: 1, groups: () => groups };
    const changing = create(combineSources([servedSource(resolveRuntimeConfig(undefined)), custom]));
    assert.equal((await get(changing, '/apis/example.com')).status, 404);
    const resource = {
      resource: 'widgets',
      singular: 'widget',
      kind: 'Widget',
      namespaced: true,
      verbs: ['get'],
      qualified: true,
    } as const;
    groups.push({ group: 'example.com', versions: [{ version: 'v1', resources: [resource] }] });
    custom.revision++;
    assert.equal((await get(changing, '/apis/example.com/v1')).status, 200);
    const { items } = JSON.parse((await get(changing, '/apis', { accept: aggregatedAccept })).body) as {
      items: { versions: { resources: { responseKind: unknown }[] }[] }[];
    };
    assert.deepEqual(items.at(-1)?.versions[0]?.resources[0]?.responseKind, {
      group: 'example.com',
      version: 'v1',
      kind: 'Widget',
    });
  });

  it('checks the method where upstream does', () => {
    const ask = (method: string, path: string) => () => {
      const context = new RequestContext(new FakeExchange({ method, url: path }), path, new URLSearchParams(), 0);
      return discovery.handlerFor(path)?.(context);
    };
    const isRefusal = (error: unknown) => error instanceof StatusError && error.code === 405;
    for (const path of ['/api', '/api/v1', '/version']) assert.throws(ask('POST', path), isRefusal);
    for (const path of ['/', '/apis', '/apis/apps']) assert.doesNotThrow(ask('POST', path));
    for (const path of ['/api', '/api/v1', '/apis/apps/v1', '/version']) assert.throws(ask('HEAD', path), isRefusal);
    for (const path of ['/', '/apis', '/apis/apps']) assert.doesNotThrow(ask('HEAD', path));
  });
});
