import { connect } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';

const ANSWER_MS = 60_000;
// A busy machine may take longer to connect than Node.js allows each address of localhost.
setDefaultAutoSelectFamilyAttemptTimeout(ANSWER_MS);

/**
 * Sends requests over HTTP/1.1 or HTTP/2 and resolves `{ status, text }`; status 0 is a broken connection. It reads
 * answers to the end.
 */
export class FuzzClient {
  #url;
  #headers;
  #ca;
  #agent;
  #session;

  constructor({ server, token, certificateAuthority }) {
    this.#url = new URL(server);
    this.#headers = { authorization: `Bearer ${token}` };
    this.#ca = certificateAuthority;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 32, ca: certificateAuthority });
  }

  /** Only HTTP/1.1 has upgrades. Each uses its own connection, which is closed at once. */
  send(request, protocol) {
    const isHttp2 = protocol === 'h2' && request.headers.upgrade === undefined;
    return isHttp2 ? this.#sendHttp2(request) : this.#sendHttp1(request);
  }

  close() {
    this.#agent.destroy();
    this.#session?.destroy();
  }

  #sendHttp1({ method, path, headers, body }) {
    const { hostname, port } = this.#url;
    return new Promise((resolve) => {
      const length = body === undefined ? {} : { 'content-length': body.length };
      const options = { hostname, port, method, path, headers: { ...this.#headers, ...headers, ...length } };
      const agent = headers.upgrade === undefined ? this.#agent : new Agent({ ca: this.#ca });
      const request = httpsRequest({ ...options, agent, timeout: ANSWER_MS }, (response) => {
        collect(response, (text) => resolve({ status: response.statusCode, text }));
      });
      request.on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        resolve({ status: statusCode, text: '' });
      });
      request.on('timeout', () => request.destroy(new Error('no answer in time')));
      request.on('error', (error) => resolve({ status: 0, text: `${error.code} ${error.message}` }));
      request.end(body);
    });
  }

  #sendHttp2({ method, path, headers, body }) {
    if (this.#session === undefined || this.#session.closed || this.#session.destroyed) {
      this.#session = connect(this.#url.origin, { ca: this.#ca });
      this.#session.on('error', () => undefined);
    }
    return new Promise((resolve) => {
      const all = { ...this.#headers, ...headers, ':method': method, ':path': path };
      const stream = this.#session.request(all, { endStream: body === undefined });
      let status = 0;
      stream.setTimeout(ANSWER_MS, () => stream.close(8));
      stream.on('response', (head) => {
        status = head[':status'];
      });
      stream.on('error', (error) => resolve({ status: 0, text: `${error.code} ${error.message}` }));
      stream.on('close', () => resolve({ status: 0, text: `closed with ${stream.rstCode}` }));
      collect(stream, (text) => resolve({ status, text }));
      if (body !== undefined) stream.end(body);
    });
  }
}

/** Keeps the beginning of an answer, enough to identify an error. */
function collect(source, done) {
  let text = '';
  source.setEncoding('latin1');
  source.on('data', (more) => {
    if (text.length < 2000) text += more;
  });
  source.on('end', () => done(text.slice(0, 2000)));
}
