import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { BASE, Cluster, eventually, Extension, GROUP } from './extension.mjs';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

let cluster;
let extension;
before(async () => {
  [cluster, extension] = await Promise.all([Cluster.start(), Extension.start()]);
  await cluster.connect(extension);
});
after(() => Promise.all([cluster.stop(), extension.stop()]));

/** What discovery says about the version of the extension, and how many groups there are. */
async function discovered() {
  const { status, text } = await cluster.send('GET', '/apis', undefined, { headers: { accept: AGGREGATED } });
  assert.equal(status, 200);
  const { items } = JSON.parse(text);
  return { version: items.find(({ metadata }) => metadata.name === GROUP)?.versions[0], groups: items.length };
}

/** Changes the APIService, so that its backend is asked again. */
async function askAgain() {
  const path = `/apis/apiregistration.k8s.io/v1/apiservices/v1.${GROUP}`;
  const spec = { groupPriorityMinimum: 100 + (Date.now() % 1000), caBundle: bundle(), insecureSkipTLSVerify: null };
  const headers = { 'content-type': 'application/merge-patch+json' };
  const { status } = await cluster.send('PATCH', path, JSON.stringify({ spec: { ...spec, caBundle: null } }), {
    headers,
  });
  assert.equal(status, 200);
  await cluster.send('PATCH', path, JSON.stringify({ spec }), { headers });
}
const bundle = () => Buffer.from(extension.certificate).toString('base64');

it('a backend that hangs holds the requests to it alone', async () => {
  extension.answer = () => undefined;
  let over = 0;
  const hanging = Array.from({ length: 20 }, () => {
    const sent = cluster.open('GET', `${BASE}/things`);
    for (const event of ['error', 'response']) sent.on(event, () => over++);
    sent.end();
    return sent;
  });
  for (const path of ['/api/v1/namespaces', '/apis', `/apis/${GROUP}`, '/version']) {
    assert.equal((await cluster.send('GET', path)).status, 200, path);
  }
  assert.equal(over, 0, 'no other request waits for the end of these');
  for (const sent of hanging) sent.destroy();
});

it('a backend that sends informational responses without an end is cut off', async () => {
  const flood = (response) => {
    if (response.destroyed) return;
    for (let count = 0; count < 100; count++) response.writeProcessing();
    setImmediate(flood, response);
  };
  const closed = new Promise((resolve) => {
    extension.answer = (request, response) => {
      response.once('close', resolve);
      flood(response);
    };
  });
  const { status, text } = await cluster.send('GET', `${BASE}/things`);
  assert.equal(status, 503);
  assert.match(text, /too many 1xx informational responses/);
  await closed;
  extension.answer = (request, response) => {
    for (let count = 0; count < 20; count++) response.writeProcessing();
    response.end('{}');
  };
  assert.equal((await cluster.send('GET', `${BASE}/things`)).status, 200, 'some are fine');
});

const healthy = (request, response) => {
  const isList = request.url === BASE;
  response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' });
  const resources = [{ name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get'] }];
  response.end(isList ? JSON.stringify({ kind: 'APIResourceList', resources }) : '{}');
};

// Before the tests that let OpenAPI requests hang: these hold the next ones up.
it('a backend that refuses one OpenAPI document still has the other', async () => {
  const operation = { responses: { 200: { description: 'OK' } } };
  const paths = { [`${BASE}/things`]: { get: operation } };
  const document = { swagger: '2.0', info: { title: 'x', version: '1' }, paths, definitions: {} };
  extension.discover = (request, response) => {
    if (request.url === '/openapi/v2') return response.end(JSON.stringify(document));
    if (request.url !== '/openapi/v3') return healthy(request, response);
    response.writeHead(403);
    return response.end();
  };
  await askAgain();
  await eventually(async () => {
    const { text } = await cluster.send('GET', '/openapi/v2');
    return Object.hasOwn(JSON.parse(text).paths, `${BASE}/things`);
  }, 'the v2 document');
});

for (const [what, discover] of [
  ['hangs', () => undefined],
  ['sends 200 MB', (_, response) => void endless(response)],
  ['sends garbage', (_, response) => response.end('{"kind":')],
  ['sends another document', (_, response) => response.end('{"kind":"Pod","resources":[{"name":7}]}')],
  ['closes the connection', (request) => request.socket.destroy()],
]) {
  it(`discovery of a backend that ${what} is stale, and all else is as ever`, { timeout: 600_000 }, async () => {
    extension.discover = healthy;
    await askAgain();
    await eventually(async () => (await discovered()).version?.freshness === 'Current', 'discovery');
    const { groups } = await discovered();
    extension.discover = discover;
    await askAgain();
    await eventually(async () => (await discovered()).version?.freshness === 'Stale', 'a stale version');
    const { version, groups: now } = await discovered();
    assert.deepEqual([version, now], [{ version: 'v1', freshness: 'Stale' }, groups]);
    for (const path of ['/openapi/v2', '/openapi/v3', '/openapi/v3/api/v1', '/apis/apps/v1']) {
      assert.equal((await cluster.send('GET', path)).status, 200, path);
    }
  });
}

it('an APIService that leads to the server itself is not a circle', async () => {
  const group = 'circle.example.com';
  const name = await cluster.register(cluster.server.port, { insecureSkipTLSVerify: true }, group);
  const { message } = await cluster.availability(name, 'FailedDiscoveryCheck');
  assert.match(message, /bad status from .*: 503$/);
  assert.equal((await cluster.send('GET', `/apis/${group}/v1/things`)).status, 503);
});

it('an APIService takes no request for APIServices', async () => {
  const group = 'apiregistration.k8s.io';
  const name = await cluster.register(extension.port, { insecureSkipTLSVerify: true }, group);
  const path = `/apis/${group}/v1/apiservices/${name}`;
  assert.equal((await cluster.send('GET', path)).status, 200);
  assert.equal((await cluster.send('DELETE', path)).status, 200);
  assert.equal((await cluster.send('GET', path)).status, 404);
});

it('an APIService leads to no denied network', async () => {
  const closed = await Cluster.start({ egressDenyCidrs: '127.0.0.0/8' });
  try {
    const name = await closed.register(extension.port, { insecureSkipTLSVerify: true });
    const { message } = await closed.availability(name, 'FailedDiscoveryCheck');
    assert.match(message, /dial tcp 127\.0\.0\.1: the server may not connect to this network$/);
  } finally {
    await closed.stop();
  }
});

async function endless(response) {
  const piece = Buffer.alloc(1024 * 1024, ' ');
  response.on('error', () => undefined);
  for (let count = 0; count < 200 && !response.destroyed; count++) {
    await new Promise((resolve) => response.write(piece, resolve));
  }
  response.end();
}
