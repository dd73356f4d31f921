import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import type { Duplex } from 'node:stream';
import { type Clock, reasonOf } from '@binnacle/apimachinery/clock';
import type { Connection } from './connection.js';
import {
  ConnectionError,
  describeRequest,
  type SendOptions,
  type TransportRequest,
  type TransportResponse,
} from './exchange.js';
import { streamBody } from './stream-body.js';

/** Far larger than a stream's window, so that an unread watch does not stall the other streams. */
const STREAM_WINDOW_BYTES = 4 * 1024 * 1024;
const CONNECTION_WINDOW_BYTES = 2 ** 30;
const SESSION_MEMORY_MEGABYTES = 1024;
/** How long the server may be silent before a ping, and how long it has to answer the ping. */
const QUIET_MILLISECONDS = 30_000;
const PING_MILLISECONDS = 15_000;

/** An HTTP/2 connection, which carries many exchanges. */
export class Http2Connection implements Connection {
  readonly #session: ClientHttp2Session;
  readonly #clock: Clock;
  readonly #bytesRead: () => number;
  readonly #authority: string;
  #open = 0;
  #ended = false;
  #check: Disposable | undefined;

  constructor(socket: Duplex, authority: string, clock: Clock) {
    this.#clock = clock;
    this.#authority = authority;
    this.#bytesRead = () => ('bytesRead' in socket && typeof socket.bytesRead === 'number' ? socket.bytesRead : 0);
    this.#session = connect(`https://${authority}`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
      maxSessionMemory: SESSION_MEMORY_MEGABYTES,
    });
    const end = () => {
      this.#ended = true;
    };
    this.#session.once('connect', () => this.#session.setLocalWindowSize(CONNECTION_WINDOW_BYTES));
    // Each stream reports the error to its caller.
    this.#session.on('error', end).once('goaway', end).once('close', end);
    this.#session.unref();
  }

  get ended(): boolean {
    return this.#ended || this.#session.closed || this.#session.destroyed;
  }

  get available(): boolean {
    return !this.ended && this.#open < (this.#session.remoteSettings?.maxConcurrentStreams ?? Number.POSITIVE_INFINITY);
  }

  send(request: TransportRequest, { signal }: SendOptions): Promise<TransportResponse> {
    const what = describeRequest(request);
    let stream: ClientHttp2Stream;
    try {
      stream = this.#session.request(
        {
          ...request.headers,
          ':method': request.method,
          ':path': request.path,
          ':authority': this.#authority,
        },
        { endStream: request.body === undefined },
      );
    } catch (error) {
      return Promise.reject(new ConnectionError('unprocessed', `${what}: the connection is closing`, { cause: error }));
    }
    const cancel = () => {
      // Drop data that was received and not yet read.
      if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
      stream.resume();
    };
    this.#begin();
    signal?.addEventListener('abort', cancel, { once: true });
    stream.once('close', () => {
      signal?.removeEventListener('abort', cancel);
      this.#finish();
    });
    if (request.body !== undefined) stream.end(request.body);

    return new Promise((resolve, reject) => {
      let failure: unknown;
      stream.on('error', (error) => {
        failure = error;
      });
      const end = () => reject(signal?.aborted === true ? reasonOf(signal) : unanswered(what, stream, failure));
      stream.once('close', end);
      stream.once('response', (headers) => {
        // An error captures a stack, so none is created for a stream that ends after its response.
        stream.off('close', end);
        resolve({
          status: headers[':status'] ?? 0,
          headers: flattened(headers),
          body: streamBody(stream, what, signal, { cancel, isIncomplete: () => isIncomplete(stream) }),
          cancel,
        });
      });
    });
  }

  retire(): void {
    this.#ended = true;
    this.#session.close();
  }

  destroy(): void {
    this.#ended = true;
    this.#check?.[Symbol.dispose]();
    this.#session.destroy();
  }

  #begin(): void {
    if (this.#open++ > 0) return;
    this.#session.ref();
    this.#watchHealth();
  }

  #finish(): void {
    if (--this.#open > 0) return;
    this.#check?.[Symbol.dispose]();
    if (!this.#session.destroyed) this.#session.unref();
  }

  /** Checks periodically while a stream is open. */
  #watchHealth(): void {
    const seen = this.#bytesRead();
    this.#check = this.#clock.setTimer(() => {
      if (this.#bytesRead() === seen) this.#ping();
      else this.#watchHealth();
    }, QUIET_MILLISECONDS);
  }

  #ping(): void {
    this.#check = this.#clock.setTimer(() => {
      this.#ended = true;
      this.#session.destroy(new Error('the server does not respond to pings'));
    }, PING_MILLISECONDS);
    if (this.#session.destroyed) return;
    this.#session.ping((error) => {
      if (error !== null) return;
      this.#check?.[Symbol.dispose]();
      if (this.#open > 0) this.#watchHealth();
    });
  }
}

/** Node.js ends a stream of a lost connection like a complete one. */
function isIncomplete(stream: ClientHttp2Stream): boolean {
  return stream.aborted || (stream.rstCode ?? constants.NGHTTP2_NO_ERROR) !== constants.NGHTTP2_NO_ERROR;
}

function unanswered(what: string, stream: ClientHttp2Stream, failure: unknown): ConnectionError {
  // A stream without a number was never sent. REFUSED_STREAM and GOAWAY mean that the server did not act.
  const untouched = stream.id === undefined || stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
  const reason = failure instanceof Error ? failure.message : 'the connection ended';
  return new ConnectionError(untouched ? 'unprocessed' : 'broken', `${what}: no response: ${reason}`, {
    cause: failure,
  });
}

function flattened(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  const flat: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(':')) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
