import { connect } from 'node:http2';

/** The windows of Go's HTTP/2 client, and so of client-go and kubectl. */
const STREAM_WINDOW = 4 * 1024 * 1024;
const CONNECTION_WINDOW = 1024 * 1024 * 1024;
const WATCHES_OF_A_CONNECTION = 50;

/** What {@link Client} needs of a kubeconfig: TLS options, with a `token` in place of the client certificate if one is given. */
export function credentialsOf(kubeconfig, token) {
  const field = (name) => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(kubeconfig)[1], 'base64');
  const ca = field('certificate-authority-data');
  if (token !== undefined) return { ca: `${ca}`, token };
  return {
    ca,
    cert: field('client-certificate-data'),
    key: field('client-key-data'),
  };
}

/** One HTTP/2 connection. Counts the bytes of bodies, and keeps them only on request. */
export class Client {
  #session;
  #headers;

  /** `credentials`: TLS options, and a `token` for the server. */
  constructor(url, { token, ...tls }) {
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#session = connect(url, { ...tls, settings: { initialWindowSize: STREAM_WINDOW } });
    this.#session.once('connect', () => this.#session.setLocalWindowSize(CONNECTION_WINDOW));
  }

  /** Resolves to the size of the body as sent. Rejects for an error status. */
  send(method, target, body, type = 'application/json', headers = {}) {
    return this.#exchange(method, target, body, { 'content-type': type, ...headers }).then(({ size }) => size);
  }

  /** Resolves to the decoded body. */
  async read(target) {
    return JSON.parse(await this.text(target));
  }

  /** Resolves to the body. */
  async text(target) {
    const { chunks } = await this.#exchange('GET', target, undefined, {}, true);
    return Buffer.concat(chunks).toString();
  }

  /** `open` resolves when the watch has begun, `done` when it has received that many events. */
  watch(target, events) {
    const stream = this.#session.request({ ...this.#headers, ':path': target });
    const open = new Promise((begun, failed) => {
      stream.on('response', begun);
      stream.on('error', failed);
    });
    const done = new Promise((enough, failed) => {
      let lines = 0;
      stream.on('error', failed);
      stream.on('end', () => failed(new Error(`the watch ended after ${lines} of ${events} events`)));
      stream.on('data', (chunk) => {
        for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) lines++;
        if (lines < events) return;
        enough();
        stream.close();
      });
    });
    return { open, done };
  }

  close() {
    this.#session.close();
  }

  #exchange(method, target, body, headers, keep = false) {
    return new Promise((done, failed) => {
      const stream = this.#session.request({
        ':method': method,
        ':path': target,
        accept: 'application/json',
        ...this.#headers,
        ...headers,
      });
      const chunks = [];
      let status = 0;
      let size = 0;
      stream.on('response', (headers) => {
        status = Number(headers[':status']);
      });
      stream.on('data', (chunk) => {
        size += chunk.length;
        if (keep) chunks.push(chunk);
      });
      stream.on('end', () =>
        status < 300 ? done({ size, chunks }) : failed(new Error(`${method} ${target}: ${status}`)),
      );
      stream.on('error', failed);
      stream.end(body);
    });
  }
}

/**
 * Opens watches of one path over several connections of `connectOnce`, as each carries a limited number of streams. `open` and `done` are about
 * all of them; see {@link Client.watch}.
 */
export function openWatches(connectOnce, count, target, events) {
  const clients = Array.from({ length: Math.ceil(count / WATCHES_OF_A_CONNECTION) }, connectOnce);
  const watches = Array.from({ length: count }, (_, index) => clients[index % clients.length].watch(target, events));
  return {
    open: Promise.all(watches.map(({ open }) => open)),
    done: Promise.all(watches.map(({ done }) => done)),
    close: () => {
      for (const client of clients) client.close();
    },
  };
}
