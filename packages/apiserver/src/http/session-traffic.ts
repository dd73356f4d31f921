import { constants, type ServerHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';

const CHECK_MS = 1000;
/** The bytes that a client may send each second in addition to the allowance for its requests. */
const FREE_BYTES_PER_SECOND = 256 * 1024;
/** How many unused free bytes can accumulate. */
const CREDIT_BYTES = 1024 * 1024;
/** The allowance for the frames that open a stream, end it, and update its window. */
const BYTES_PER_STREAM = 1024;
/** The allowance for a body: a frame with one byte of body has ten bytes. */
const BYTES_PER_BODY_BYTE = 16;
/** The allowance for window updates: clients send one for every few kilobytes that they receive. */
const SENT_PER_BYTE = 8;
/**
 * How many requests a client may reset at once, and each second. nghttp2 has slightly higher limits: beyond them it stops
 * reading and leaves the connection open, so that all its requests hang. A closed connection is reopened by its client.
 */
const RESETS = 900;
const RESETS_PER_SECOND = 30;
/** The streams and body chunks in one turn of the loop. A read of 64 KiB has fewer, unless they are tiny. */
const EVENTS_PER_TURN = 500;

/**
 * Ends HTTP/2 sessions whose clients flood the server: with legal frames such as PRIORITY, WINDOW_UPDATE and PING, or with
 * requests that they reset. Reads sessions with tiny frames in turns.
 */
export class SessionTraffic {
  readonly #session: ServerHttp2Session;
  readonly #socket: TLSSocket;
  readonly #slow: SlowSessions;
  #allowed = CREDIT_BYTES;
  #sent = 0;
  #openStreams = 0;
  #resets = RESETS;
  #events = 0;
  #isSlow = false;

  constructor(session: ServerHttp2Session, socket: TLSSocket, slow: SlowSessions) {
    this.#session = session;
    this.#socket = socket;
    this.#slow = slow;
  }

  get openStreams(): number {
    return this.#openStreams;
  }

  /** A request has arrived, with at most that many bytes of headers. */
  opened(headerBytes: number): void {
    this.#openStreams++;
    this.#allowed += BYTES_PER_STREAM + headerBytes;
    this.#pace();
  }

  closed(wasReset: boolean): void {
    this.#openStreams--;
    if (!wasReset || --this.#resets > 0 || this.#session.destroyed) return;
    this.#session.destroy(new Error('too many requests are taken back'), constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  received(bodyBytes: number): void {
    this.#allowed += bodyBytes * BYTES_PER_BODY_BYTE;
    this.#pace();
  }

  /** Ends the session if its client has sent too much. Call it every second. */
  check(): void {
    const { bytesRead, bytesWritten } = this.#socket;
    this.#allowed += FREE_BYTES_PER_SECOND + (bytesWritten - this.#sent) / SENT_PER_BYTE;
    this.#sent = bytesWritten;
    if (bytesRead > this.#allowed) this.#session.destroy();
    // Unused allowance accumulates only up to the credit.
    this.#allowed = Math.min(this.#allowed, bytesRead + CREDIT_BYTES);
    this.#resets = Math.min(this.#resets + RESETS_PER_SECOND, RESETS);
  }

  #pace(): void {
    if (this.#events === 0) {
      setImmediate(() => {
        this.#events = 0;
      });
    }
    if (++this.#events < EVENTS_PER_TURN) return;
    // Node may have resumed reading. Bytes that it has already read are still parsed.
    readHandle(this.#socket)?.readStop();
    if (this.#isSlow) return;
    this.#isSlow = true;
    this.#slow.add(() => {
      this.#isSlow = false;
      readHandle(this.#socket)?.readStart();
    });
  }
}

/** Sessions that were stopped because of tiny frames. One of them resumes in each turn of the loop. */
class SlowSessions {
  readonly #waiting: (() => void)[] = [];

  add(readOn: () => void): void {
    this.#waiting.push(readOn);
    if (this.#waiting.length === 1) setImmediate(() => this.#next());
  }

  #next(): void {
    this.#waiting[0]?.();
    this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(() => this.#next());
  }
}

interface ReadHandle {
  readStop(): unknown;
  readStart(): unknown;
}

/** The handle that the session reads from. It bypasses the socket, so pausing the socket has no effect. Undefined once closed. */
function readHandle(socket: TLSSocket): ReadHandle | undefined {
  const handle: unknown = Reflect.get(socket, '_handle');
  return isReadHandle(handle) ? handle : undefined;
}

function isReadHandle(handle: unknown): handle is ReadHandle {
  return typeof handle === 'object' && handle !== null && 'readStop' in handle && 'readStart' in handle;
}

/** The sessions of a server. A timer checks them while there are any. */
export class SessionTraffics {
  readonly #traffics = new Map<ServerHttp2Session, SessionTraffic>();
  readonly #slow = new SlowSessions();
  #timer: NodeJS.Timeout | undefined;

  add(session: ServerHttp2Session, socket: TLSSocket): SessionTraffic {
    const traffic = new SessionTraffic(session, socket, this.#slow);
    this.#traffics.set(session, traffic);
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS).unref();
    return traffic;
  }

  delete(session: ServerHttp2Session): void {
    this.#traffics.delete(session);
    if (this.#traffics.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    for (const traffic of this.#traffics.values()) traffic.check();
  }
}
