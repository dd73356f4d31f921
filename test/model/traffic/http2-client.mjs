import { connect } from 'node:http2';

/** The connection was lost, or no answer came: the request may or may not have taken effect. */
export class LostError extends Error {
  name = 'LostError';
}

const LOST_PAUSE_MS = 100;

/** An HTTP/2 connection that is re-established on demand. */
export class Http2Client {
  #access;
  #session;
  #token;
  #timeoutMs;

  /** @param {() => { url: string, ca: string, token: string }} access called before every connection */
  constructor(access, timeoutMs = 20_000) {
    this.#access = access;
    this.#timeoutMs = timeoutMs;
  }

  /** Resolves with `{ status, body }`, the body parsed; rejects with LostError. */
  request(method, path, query = {}, body, contentType = 'application/json') {
    return new Promise((resolve, reject) => {
      const stream = this.#open(method, path, query, body, contentType, reject);
      if (stream === undefined) return;
      let status = 0;
      const chunks = [];
      const timer = setTimeout(() => {
        reject(new LostError('no answer in time'));
        this.drop();
      }, this.#timeoutMs);
      stream.on('response', (headers) => {
        status = headers[':status'];
      });
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => {
        if (status === 0 || stream.rstCode !== 0) return;
        try {
          resolve({ status, body: JSON.parse(Buffer.concat(chunks).toString()) });
        } catch {
          reject(new LostError('half an answer'));
        }
      });
      stream.on('close', () => {
        clearTimeout(timer);
        // Delayed, so that a client without a server does not spin.
        setTimeout(() => reject(new LostError('connection lost')), LOST_PAUSE_MS);
      });
    });
  }

  /**
   * Reads a stream of JSON lines. `onLine` gets each complete line, undefined for one that is not JSON. Resolves `{
   * status, body }` at the end; `ended` tells whether the server ended it properly. `pauseMs()` is called after every
   * chunk, and reading pauses for its result.
   */
  stream(path, query, onLine, { signal, pauseMs = () => 0 }) {
    return new Promise((resolve) => {
      const lost = () => resolve({ status: 0, ended: false, body: undefined });
      const stream = this.#open('GET', path, query, undefined, undefined, lost);
      if (stream === undefined) return;
      let status = 0;
      let rest = '';
      let ended = false;
      const onAbort = () => stream.close(8);
      signal.addEventListener('abort', onAbort, { once: true });
      stream.setEncoding('utf8');
      stream.on('response', (headers) => {
        status = headers[':status'];
      });
      stream.on('data', (text) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        if (status !== 200) {
          rest = [...lines, rest].join('\n');
          return;
        }
        for (const line of lines) onLine(parsed(line));
        const pause = pauseMs();
        if (pause === 0) return;
        stream.pause();
        setTimeout(() => stream.resume(), pause);
      });
      stream.on('end', () => {
        ended = stream.rstCode === 0 && !stream.aborted && rest === '' && status === 200;
      });
      stream.on('close', () => {
        signal.removeEventListener('abort', onAbort);
        resolve({ status, ended, body: status === 200 || status === 0 ? undefined : parsed(rest) });
      });
    });
  }

  /** Breaks the connection, with all requests in progress. */
  drop() {
    this.#session?.destroy();
    this.#session = undefined;
  }

  #open(method, path, query, body, contentType, lost) {
    try {
      if (this.#session === undefined || this.#session.closed || this.#session.destroyed) {
        const { url, ca, token } = this.#access();
        this.#token = token;
        const session = connect(url, { ca });
        session.on('error', () => undefined);
        session.on('goaway', () => {
          if (this.#session === session) this.#session = undefined;
        });
        this.#session = session;
      }
      const text = new URLSearchParams(query).toString();
      const headers = {
        ':method': method,
        ':path': text === '' ? path : `${path}?${text}`,
        authorization: `Bearer ${this.#token}`,
        'user-agent': 'model',
        ...(body === undefined ? {} : { 'content-type': contentType }),
      };
      // Explicit, because node assumes that a DELETE has no body.
      const stream = this.#session.request(headers, { endStream: body === undefined });
      stream.on('error', () => undefined);
      if (body !== undefined) stream.end(JSON.stringify(body));
      return stream;
    } catch (error) {
      setTimeout(() => lost(new LostError(String(error))), LOST_PAUSE_MS);
      return undefined;
    }
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
