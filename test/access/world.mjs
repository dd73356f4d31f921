import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from 'binnacle';
import { makeTestCertificate } from '../../packages/apiserver/dist/testing/test-certificate.js';

/** The certificate of every service here; it is its own authority. */
const identity = makeTestCertificate('/CN=service', { alternativeNames: 'IP:127.0.0.1' });

/** PEM: what verifies the services here. */
export const authority = identity.certificate;

const REVIEWS = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

/** An HTTPS service that answers JSON. It keeps what it was sent. */
export class Service {
  requests = [];

  /** @param {(request: { method: string, path: string, headers: object, body: any, client: string | undefined }) => unknown} answer `{ code, text }`, or what is sent as JSON */
  static async start(answer) {
    const service = new Service(answer);
    service.server.listen(0, '127.0.0.1');
    await once(service.server, 'listening');
    return service;
  }

  constructor(answer) {
    const tls = { cert: identity.certificate, key: identity.privateKey, requestCert: true, rejectUnauthorized: false };
    this.server = createServer(tls, async (incoming, response) => {
      let text = '';
      for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
      const { method, url: path, headers } = incoming;
      const client = incoming.socket.getPeerCertificate().subject?.CN;
      const received = { method, path, headers, body: text === '' ? undefined : JSON.parse(text), client };
      this.requests.push(received);
      const answered = await answer(received);
      response.writeHead(answered.code ?? 200, { 'content-type': 'application/json' });
      response.end(answered.text ?? JSON.stringify(answered));
    });
  }

  get url() {
    return `https://127.0.0.1:${this.server.address().port}`;
  }

  async [Symbol.asyncDispose]() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A folder for the files of a test. */
export class Folder {
  static async make() {
    return new Folder(await mkdtemp(join(tmpdir(), 'binnacle-access-')));
  }

  constructor(path) {
    this.path = path;
  }

  /** Writes a file and returns its path. A value that is not text is written as JSON, which is YAML too. */
  async write(name, content) {
    const path = join(this.path, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  /** Writes a kubeconfig of a service and returns its path. */
  kubeconfig(name, server, user = {}) {
    const cluster = { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') };
    return this.write(name, {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'service', cluster }],
      users: [{ name: 'server', user }],
      contexts: [{ name: 'it', context: { cluster: 'service', user: 'server' } }],
      'current-context': 'it',
    });
  }

  [Symbol.asyncDispose]() {
    return rm(this.path, { recursive: true });
  }
}

/** A server in memory, without control loops. */
export class Cluster {
  static async start(options = {}) {
    return new Cluster(await start({ inMemory: true, controllers: '', ...options }));
  }

  constructor(server) {
    this.server = server;
  }

  /** Answers `{ status, headers, body }`. `token`: default the administrator's; null for none. `as`: the user to impersonate. */
  async send(method, path, body, { token = this.server.clientConfig.token, as, headers = {}, ...tls } = {}) {
    const sent = request(`${this.server.url}${path}`, {
      method,
      ca: this.server.clientConfig.certificateAuthority,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(as === undefined ? {} : { 'impersonate-user': as }),
        'content-type': 'application/json',
        ...headers,
      },
      ...tls,
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    const isJson = response.headers['content-type']?.startsWith('application/json');
    return { status: response.statusCode, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  async create(path, object) {
    const { status, body } = await this.send('POST', path, object);
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }

  /** The user of a token, or the status of the refusal. */
  async whoami(token) {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const { status, body } = await this.send('POST', REVIEWS, review, { token });
    return status === 201 ? body.status.userInfo : status;
  }

  [Symbol.asyncDispose]() {
    return this.server.stop();
  }
}
