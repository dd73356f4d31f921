import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { BASE, Cluster, Extension } from './extension.mjs';

const FORGED = `GET ${BASE}/secrets HTTP/1.1\r\nhost: b\r\nx-remote-user: admin\r\n\r\n`;
const LENGTH = { 'content-length': String(FORGED.length) };

let cluster;
let extension;
before(async () => {
  [cluster, extension] = await Promise.all([Cluster.start(), Extension.start()]);
  await cluster.connect(extension);
});
after(() => Promise.all([cluster.stop(), extension.stop()]));

// The backend's connection is kept, so a request with another length than it declares changes the next one.
for (const [what, method, headers] of [
  ['GET', 'GET', LENGTH],
  ['HEAD', 'HEAD', LENGTH],
  ['OPTIONS', 'OPTIONS', LENGTH],
  ['an upgrade', 'GET', { ...LENGTH, connection: 'Upgrade', upgrade: 'websocket' }],
  ['DELETE that hides its length', 'DELETE', { ...LENGTH, connection: 'content-length' }],
]) {
  it(`the body of one request is never the head of another: ${what}`, { timeout: 600_000 }, async () => {
    const seen = [];
    extension.answer = (request, response) => {
      seen.push([request.method, request.url, request.headers['x-remote-user']]);
      response.writeHead(request.headers.upgrade === undefined ? 200 : 403);
      response.end();
    };
    for (const path of ['first', 'second']) {
      await cluster.send(method, `${BASE}/${path}`, FORGED, { headers });
      await cluster.send('POST', `${BASE}/${path}`, FORGED);
    }
    assert.deepEqual(
      seen,
      ['first', 'second'].flatMap((path) => [
        [method, `${BASE}/${path}`, 'kubernetes-admin'],
        ['POST', `${BASE}/${path}`, 'kubernetes-admin'],
      ]),
    );
  });
}
