import { connect } from 'node:http2';

/** The windows of Go's HTTP/2 client, and so of client-go and kubectl. */
const STREAM_WINDOW = 4 * 1024 * 1024;
const CONNECTION_WINDOW = 1024 * 1024 * 1024;

/** One HTTP/2 connection. Counts the bytes of bodies, and keeps them only on request. */
export class Client {
  #session;

  constructor(url, kubeconfig) {
    const field = (name) => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(kubeconfig)[1], 'base64');
    this.#session = connect(url, {
      ca: field('certificate-authority-data'),
      cert: field('client-certificate-data'),
      key: field('client-key-data'),
      settings: { initialWindowSize: STREAM_WINDOW },
    });
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
    const stream = this.#session.request({ ':path': target });
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
