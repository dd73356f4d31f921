import { connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { connect as connectTls } from 'node:tls';

/**
 * Sends requests that no sane client would send, and returns the answers. It does not verify certificates, because
 * the server is ours.
 */
export class HostileClient {
  #url;
  #token;

  constructor(server) {
    this.#url = new URL(server.url);
    this.#token = server.clientConfig.token;
  }

  get address() {
    return this.#url;
  }

  get token() {
    return this.#token;
  }

  get #headers() {
    return { authorization: `Bearer ${this.#token}` };
  }

  /** @returns {Promise<{ status: number, headers: object, text: string, json: any, milliseconds: number }>} */
  send(method, path, body, headers = {}) {
    const { hostname, port } = this.#url;
    const json =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const request = httpsRequest(
        {
          hostname,
          port,
          method,
          path,
          headers: { ...this.#headers, ...json, ...headers },
          rejectUnauthorized: false,
          agent: false,
        },
        (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const milliseconds = performance.now() - began;
            resolve({ status: response.statusCode, headers: response.headers, text, json: parsed(text), milliseconds });
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  /** A request in progress, for the test to continue, stall or destroy. `answer` settles with the response's head. */
  open(method, path, headers = {}) {
    const { hostname, port } = this.#url;
    const options = {
      hostname,
      port,
      method,
      path,
      headers: { ...this.#headers, ...headers },
      rejectUnauthorized: false,
      agent: false,
    };
    const request = httpsRequest(options);
    request.on('error', () => undefined);
    const answer = new Promise((resolve, reject) => {
      request.once('response', resolve);
      request.once('error', reject);
    });
    answer.catch(() => undefined);
    return { request, answer };
  }

  /** An HTTP/2 session; streams carry the token. */
  session() {
    const session = connectHttp2(this.#url.origin, { rejectUnauthorized: false });
    session.on('error', () => undefined);
    const open = (headers) => {
      const stream = session.request({ ...this.#headers, ...headers });
      stream.on('error', () => undefined);
      return stream;
    };
    return { session, open };
  }

  /** A bare TLS connection; `protocol` is the negotiated one. */
  async raw(protocol) {
    const { hostname, port } = this.#url;
    const socket = connectTls({
      host: hostname,
      port: Number(port),
      rejectUnauthorized: false,
      ALPNProtocols: [protocol],
    });
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    return socket;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
