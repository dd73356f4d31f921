import { constants, type ServerHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';

const CHECK_MS = 1000;
/** Bytes that a client may send beside what {@link SessionTraffic} allows for, a second... */
const FREE_BYTES_PER_SECOND = 256 * 1024;
/** ...and that may have run up beyond that. */
const CREDIT_BYTES = 1024 * 1024;
/** Frames that open a stream, end it, and give it windows. */
const BYTES_PER_STREAM = 1024;
/** Frames of one byte are ten times as long as what is in them. */
const BYTES_PER_BODY_BYTE = 16;
/** Windows are given for what has been received, of a few kilobytes at a time. */
const SENT_PER_BYTE = 8;
/**
 * Requests that a client may reset at once, and a second. nghttp2 has limits of its own, slightly above: beyond them it listens no
 * more and leaves the connection open, so that all that the client waits for hangs. One that is closed is opened again.
 */
const RESETS = 900;
const RESETS_PER_SECOND = 30;
/** Streams and chunks of bodies in one turn of the loop. 64 KiB, which are read at once, are fewer unless they are tiny. */
const EVENTS_PER_TURN = 500;

/**
 * Tells apart the clients of HTTP/2 that send far more than requests: floods of PRIORITY, WINDOW_UPDATE, PING and the like,
 * each frame of which is legal, and of requests that are taken back. Reads those in turns whose frames are tiny.
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

  /** A request has come, with so many bytes of headers at most. */
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

  /** Ends the session when its client has sent too much. To be called every second. */
  check(): void {
    const { bytesRead, bytesWritten } = this.#socket;
    this.#allowed += FREE_BYTES_PER_SECOND + (bytesWritten - this.#sent) / SENT_PER_BYTE;
    this.#sent = bytesWritten;
    if (bytesRead > this.#allowed) this.#session.destroy();
    // What was not used does not add up.
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
    // What has been read already is still parsed. Node may have begun to read again.
    readHandle(this.#socket)?.readStop();
    if (this.#isSlow) return;
    this.#isSlow = true;
    this.#slow.add(() => {
      this.#isSlow = false;
      readHandle(this.#socket)?.readStart();
    });
  }
}

/** Sessions that have been stopped in the middle of what they send. One of them reads on in each turn of the loop. */
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

/** What the session reads by: it does not ask the socket, so that pausing that would stop nothing. Undefined once it is closed. */
function readHandle(socket: TLSSocket): ReadHandle | undefined {
  const handle: unknown = Reflect.get(socket, '_handle');
  return isReadHandle(handle) ? handle : undefined;
}

function isReadHandle(handle: unknown): handle is ReadHandle {
  return typeof handle === 'object' && handle !== null && 'readStop' in handle && 'readStart' in handle;
}

/** The sessions of a server, looked at while there are any. */
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
