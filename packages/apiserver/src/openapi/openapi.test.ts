import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { resolveRuntimeConfig } from '@binnacle/api/table';
import { isObject, type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import { RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { createOpenApi, type OpenApi } from './openapi.js';
import { servedOpenApiSource } from './source.js';

const now = Date.UTC(2030, 0, 2);

function create(): { readonly openApi: OpenApi; readonly source: { revision: number } } {
  const served = servedOpenApiSource(resolveRuntimeConfig(undefined));
  const source = { ...served, revision: 1 };
  return { openApi: createOpenApi({ source, version: 'v1.36.2+test', now: () => now }), source };
}

async function get(openApi: OpenApi, url: string, headers: Record<string, string> = {}): Promise<FakeExchange> {
  const [path = '', query = ''] = url.split('?');
  const exchange = new FakeExchange({ url, headers });
  const handler = openApi.handlerFor(path);
  assert.ok(handler, path);
  await handler(new RequestContext(exchange, path, new URLSearchParams(query), now));
  return exchange;
}

function at(value: unknown, ...keys: string[]): unknown {
  let current = value;
  for (const key of keys) current = isObject(current) ? current[key] : undefined;
  return current;
}

const objectOf = (text: string): JsonObject => {
  const { value } = parseJson(Buffer.from(text));
  assert.ok(isObject(value));
  return value;
};

describe('OpenAPI', () => {
  const { openApi } = create();

  it('lists the v3 documents with their hashes', async () => {
    const index = await get(openApi, '/openapi/v3');
    assert.equal(index.responseHeaders['content-type'], 'text/plain; charset=utf-8');
    const paths = at(objectOf(index.body), 'paths');
    assert.ok(isObject(paths));
    const names = Object.keys(paths);
    assert.deepEqual(names, [...names].sort());
    for (const name of ['api', 'api/v1', 'apis', 'apis/apps', 'apis/apps/v1', 'version'])
      assert.ok(names.includes(name), name);
    assert.match(String(at(paths, 'api/v1', 'serverRelativeURL')), /^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]{128}$/);
  });

  it('allows permanent caching of a document with its hash, and redirects to the current hash', async () => {
    const index = objectOf((await get(openApi, '/openapi/v3')).body);
    const url = String(at(index, 'paths', 'apis/batch/v1', 'serverRelativeURL'));
    const exchange = await get(openApi, url);
    assert.equal(exchange.status, 200);
    assert.equal(exchange.responseHeaders['content-type'], 'application/json');
    assert.equal(exchange.responseHeaders['cache-control'], 'public, immutable');
    assert.equal(exchange.responseHeaders['expires'], 'Thu, 02 Jan 2031 00:00:00 GMT');
    assert.equal(exchange.responseHeaders['etag'], `"${url.split('=')[1]}"`);
    const plain = await get(openApi, '/openapi/v3/apis/batch/v1');
    assert.equal(plain.body, exchange.body);
    assert.equal(plain.responseHeaders['cache-control'], undefined);
    const old = await get(openApi, '/openapi/v3/apis/batch/v1?hash=0');
    assert.equal(old.status, 301);
    assert.equal(old.responseHeaders['location'], url);
  });

  it('answers 304 to clients with the current document, and compresses large documents', async () => {
    const first = await get(openApi, '/openapi/v3/api/v1');
    const etag = String(first.responseHeaders['etag']);
    const second = await get(openApi, '/openapi/v3/api/v1', { 'if-none-match': `"other", W/${etag}` });
    assert.equal(second.status, 304);
    assert.equal(second.responseHeaders['content-type'], undefined);
    const compressed = await get(openApi, '/openapi/v3/api/v1', { 'accept-encoding': 'gzip' });
    assert.equal(compressed.responseHeaders['content-encoding'], 'gzip');
    assert.equal(compressed.responseHeaders['vary'], 'Accept, Accept-Encoding');
    assert.equal(gunzipSync(compressed.bytes).toString(), first.body);
  });

  it('answers 404 for unknown documents and 406 for unsupported forms', async () => {
    assert.equal((await get(openApi, '/openapi/v3/apis/apps/v2')).status, 404);
    assert.equal((await get(openApi, '/openapi/v3/api/v1', { accept: 'text/html' })).status, 406);
    assert.equal((await get(openApi, '/openapi/v2', { accept: 'text/html' })).status, 406);
    assert.equal(openApi.handlerFor('/openapi/v4'), undefined);
  });

  it('describes types for explain, validation and merging', async () => {
    const document = objectOf((await get(openApi, '/openapi/v3/apis/apps/v1')).body);
    assert.equal(at(document, 'info', 'version'), 'v1.36.2+test');
    const schemas = at(document, 'components', 'schemas');
    const deployment = at(schemas, 'io.k8s.api.apps.v1.Deployment');
    assert.deepEqual(at(deployment, 'x-kubernetes-group-version-kind'), [
      { group: 'apps', kind: 'Deployment', version: 'v1' },
    ]);
    assert.deepEqual(at(deployment, 'properties', 'spec'), {
      allOf: [{ $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec' }],
      default: {},
      description: 'The desired state.',
    });
    const ports = at(schemas, 'io.k8s.api.core.v1.Container', 'properties', 'ports');
    assert.equal(at(ports, 'x-kubernetes-patch-merge-key'), 'containerPort');
    assert.deepEqual(at(ports, 'x-kubernetes-list-map-keys'), ['containerPort', 'protocol']);
    const protocol = at(schemas, 'io.k8s.api.core.v1.ContainerPort', 'properties', 'protocol');
    assert.deepEqual(at(protocol, 'enum'), ['SCTP', 'TCP', 'UDP']);
    assert.equal(at(protocol, 'default'), 'TCP');
    const post = at(document, 'paths', '/apis/apps/v1/namespaces/{namespace}/deployments', 'post');
    assert.equal(at(post, 'operationId'), 'createAppsV1NamespacedDeployment');
    assert.equal(at(post, 'x-kubernetes-action'), 'post');
    const parameters = at(post, 'parameters');
    assert.ok(Array.isArray(parameters));
    assert.deepEqual(
      parameters.map((each) => at(each, 'name')),
      ['dryRun', 'fieldManager', 'fieldValidation'],
    );
  });

  it('serves v2 as JSON, and as protobuf under the name that old clients use', async () => {
    const json = await get(openApi, '/openapi/v2');
    const document = objectOf(json.body);
    assert.equal(at(document, 'swagger'), '2.0');
    const pod = at(document, 'definitions', 'io.k8s.api.core.v1.PodSpec', 'properties', 'volumes');
    assert.equal(at(pod, 'x-kubernetes-patch-strategy'), 'merge,retainKeys');
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const protobuf = await get(openApi, '/openapi/v2', { accept });
    assert.equal(protobuf.status, 200);
    assert.equal(
      protobuf.responseHeaders['content-type'],
      'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    );
    assert.equal(protobuf.responseHeaders['etag'], json.responseHeaders['etag']);
    assert.deepEqual([...protobuf.bytes.subarray(0, 5)], [0x0a, 3, ...Buffer.from('2.0')]);
  });

  it('makes documents from a snapshot, because definitions may disappear meanwhile', async () => {
    const served = servedOpenApiSource(resolveRuntimeConfig(undefined));
    const gone = (): never => assert.fail('a document is made from what changes');
    const source = { ...served, versions: gone, schemaOf: gone, definitionOf: gone, snapshot: () => served };
    const changing = createOpenApi({ source, version: 'v1.36.2+test', now: () => now });
    const protobuf = { accept: 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf' };
    for (const [path, headers] of [
      ['/openapi/v2', {}],
      ['/openapi/v3/apis/apps/v1', {}],
      ['/openapi/v3/apis/batch/v1', protobuf],
    ] as const) {
      assert.equal((await get(changing, path, headers)).status, 200, path);
    }
  });

  it('serves v3 documents as protobuf, and the index always as JSON', async () => {
    const subtype = 'application/com.github.proto-openapi.spec.v3';
    const json = await get(openApi, '/openapi/v3/apis/apps/v1');
    for (const accept of [`${subtype}@v1.0+protobuf`, `${subtype}.v1.0+protobuf;q=0.9, text/html`]) {
      const protobuf = await get(openApi, '/openapi/v3/apis/apps/v1', { accept });
      assert.equal(protobuf.status, 200);
      assert.equal(protobuf.responseHeaders['content-type'], `${subtype}.v1.0+protobuf`);
      assert.equal(protobuf.responseHeaders['etag'], json.responseHeaders['etag']);
      assert.equal(protobuf.responseHeaders['vary'], 'Accept');
      assert.deepEqual([...protobuf.bytes.subarray(0, 7)], [0x0a, 5, ...Buffer.from('3.0.0')]);
    }
    const headers = { accept: `${subtype}.v1.0+protobuf` };
    const index = objectOf((await get(openApi, '/openapi/v3', headers)).body);
    const url = String(at(index, 'paths', 'apis/apps/v1', 'serverRelativeURL'));
    const kept = await get(openApi, url, headers);
    assert.equal(kept.responseHeaders['cache-control'], 'public, immutable');
    assert.equal(kept.responseHeaders['content-type'], `${subtype}.v1.0+protobuf`);
    const redirected = await get(openApi, '/openapi/v3/apis/apps/v1?hash=0', headers);
    assert.equal(redirected.status, 301);
    assert.equal(redirected.responseHeaders['location'], url);
  });

  it('rebuilds documents only when the source has changed', async () => {
    const changing = create();
    const before = await get(changing.openApi, '/openapi/v3/version');
    changing.source.revision++;
    const after = await get(changing.openApi, '/openapi/v3/version');
    assert.equal(after.body, before.body);
  });
});
