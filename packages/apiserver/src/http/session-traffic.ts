import type { ServerHttp2Session } from 'node:http2';
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
 * Tells apart the clients of HTTP/2 that send far more than requests: floods of PRIORITY, WINDOW_UPDATE, PING and the like,
 * each frame of which is legal.
 */
export class SessionTraffic {
  readonly #session: ServerHttp2Session;
  readonly #socket: TLSSocket;
  #allowed = CREDIT_BYTES;
  #sent = 0;

  constructor(session: ServerHttp2Session, socket: TLSSocket) {
    this.#session = session;
    this.#socket = socket;
  }

  /** A request has come, with so many bytes of headers at most. */
  opened(headerBytes: number): void {
    this.#allowed += BYTES_PER_STREAM + headerBytes;
  }

  received(bodyBytes: number): void {
    this.#allowed += bodyBytes * BYTES_PER_BODY_BYTE;
  }

  /** Ends the session when its client has sent too much. To be called every second. */
  check(): void {
    const { bytesRead, bytesWritten } = this.#socket;
    this.#allowed += FREE_BYTES_PER_SECOND + (bytesWritten - this.#sent) / SENT_PER_BYTE;
    this.#sent = bytesWritten;
    if (bytesRead > this.#allowed) this.#session.destroy();
    // What was not used does not add up.
    this.#allowed = Math.min(this.#allowed, bytesRead + CREDIT_BYTES);
  }
}

/** The sessions of a server, looked at while there are any. */
export class SessionTraffics {
  readonly #traffics = new Map<ServerHttp2Session, SessionTraffic>();
  #timer: NodeJS.Timeout | undefined;

  add(session: ServerHttp2Session, socket: TLSSocket): SessionTraffic {
    const traffic = new SessionTraffic(session, socket);
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
