import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { start } from 'binnacle';
import { makeTestCertificate } from '../../packages/apiserver/dist/testing/test-certificate.js';

export const GROUP = 'ext.example.com';
export const BASE = `/apis/${GROUP}/v1`;
const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
/** Long enough for a busy machine. Only a failure takes this long. */
const LIMIT_MS = 120_000;

/** Asks until the answer is right, and returns what `condition` returned. */
export async function eventually(condition, what) {
  for (const end = Date.now() + LIMIT_MS; ; await pause(20)) {
    const result = await condition();
    if (result) return result;
    assert.ok(Date.now() < end, `waited too long for ${what}`);
  }
}

/** An extension API server in this process. `answer` handles what is not discovery, for a test to replace. */
export class Extension {
  static async start() {
    const extension = new Extension(makeTestCertificate('/CN=ext', { alternativeNames: 'DNS:ext.default.svc' }));
    extension.server.listen(0, '127.0.0.1');
    await once(extension.server, 'listening');
    return extension;
  }

  answer = (request, response) => response.end(JSON.stringify({ path: request.url }));
  /** Answers discovery and OpenAPI; for a test to replace. */
  discover = (request, response) => {
    const isList = request.url === BASE;
    response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' });
    const resources = [{ name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get'] }];
    response.end(isList ? JSON.stringify({ kind: 'APIResourceList', groupVersion: `${GROUP}/v1`, resources }) : '{}');
  };

  constructor({ certificate, privateKey }) {
    this.certificate = certificate;
    const tls = { cert: certificate, key: privateKey, requestCert: true, rejectUnauthorized: false };
    this.server = createServer(tls, (request, response) => {
      const isDiscovery = ['/apis', BASE].includes(request.url) || request.url.startsWith('/openapi/');
      if (isDiscovery) this.discover(request, response);
      else this.answer(request, response);
    });
  }

  get port() {
    return this.server.address().port;
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }
}

/** A server, without control loops, with an APIService for an extension. */
export class Cluster {
  static async start(options = {}) {
    return new Cluster(await start({ inMemory: true, controllers: '', ...options }));
  }

  constructor(server) {
    this.server = server;
  }

  stop() {
    return this.server.stop();
  }

  /** Opens a request of HTTP/1.1; the caller ends it. Without `token` it has no token. */
  open(method, path, { headers = {}, token = true, ...more } = {}) {
    const { token: own, certificateAuthority: ca } = this.server.clientConfig;
    const credentials = token ? { authorization: `Bearer ${own}` } : {};
    return request(`${this.server.url}${path}`, { method, ca, headers: { ...credentials, ...headers }, ...more });
  }

  /** Answers `{ status, headers, text }`. */
  async send(method, path, body, options) {
    const sent = this.open(method, path, options);
    sent.end(body);
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode, headers: response.headers, text };
  }

  async create(path, object) {
    const { status, text } = await this.send('POST', path, JSON.stringify(object), {
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(status, 201, text);
  }

  /** Registers a backend on this port for the group, and returns the name of its APIService. */
  async register(port, spec = {}, group = GROUP) {
    const service = { type: 'ExternalName', externalName: '127.0.0.1' };
    const { status } = await this.send('GET', '/api/v1/namespaces/default/services/ext');
    if (status === 404) {
      const metadata = { name: 'ext' };
      const object = { apiVersion: 'v1', kind: 'Service', metadata, spec: service };
      await this.create('/api/v1/namespaces/default/services', object);
    }
    const reference = { name: 'ext', namespace: 'default', port };
    const priorities = { groupPriorityMinimum: 100, versionPriority: 10 };
    await this.create(SERVICES, {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `v1.${group}` },
      spec: { group, version: 'v1', service: reference, ...priorities, ...spec },
    });
    return `v1.${group}`;
  }

  /** Waits until an APIService has a condition with this reason, and returns the condition. */
  availability(name, reason) {
    return eventually(async () => {
      const { text } = await this.send('GET', `${SERVICES}/${name}`);
      const { conditions = [] } = JSON.parse(text).status ?? {};
      return conditions.find((condition) => condition.reason === reason);
    }, `${name}: ${reason}`);
  }

  /** Registers an extension and waits until requests reach it. */
  async connect(extension) {
    const caBundle = Buffer.from(extension.certificate).toString('base64');
    await this.availability(await this.register(extension.port, { caBundle }), 'Passed');
  }
}
