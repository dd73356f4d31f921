import { requestEntityTooLarge } from '@binnacle/apimachinery/status';
import type { UserInfo } from '../authentication/index.js';
import type { Exchange, PiecewiseBody, ResponseHeaders, ResponseStream } from '../request/index.js';
import { isTurnOver, ownTurn, Pauses } from '../slices/index.js';
import { AnswerQueue, LONG_BYTES } from './answer-queue.js';
import { clientGone, deadStream } from './body-writer.js';
import { ExchangeBase } from './exchange-base.js';
import type { Peer } from './tls/peer-certificate.js';

/** A request as a value. */
export interface InProcessRequest {
  /** The requesting user. It is not verified, because code in this process can do anything anyway. */
  readonly user: UserInfo;
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

export interface InProcessAnswer {
  readonly status: number;
  /** By lower-case name. Values with the same name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Read it once, and do not change the chunks. Leaving the loop early ends the exchange. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the exchange. Idempotent; nothing happens after the end of the body. */
  cancel(): void;
}

const nothing: PiecewiseBody = { length: 0, pieces: () => [] };

const noPeer: Peer = {
  certificate: undefined,
  certificateError: undefined,
  proxyCertificate: undefined,
  address: '',
};

/** An exchange without a connection: the request is the argument of a function call, and the answer its result. */
export class InProcessExchange extends ExchangeBase implements Exchange {
  readonly httpVersion = '2';
  readonly caller: UserInfo;
  /** Rejects with the reason of {@link leave} if that is called first. */
  readonly answer: Promise<InProcessAnswer>;
  /** Called once, when the server has produced the whole answer. */
  onClosed: () => void = () => undefined;
  readonly #headers: ResponseHeaders;
  readonly #body: string | Uint8Array;
  #resolve: (answer: InProcessAnswer) => void = () => undefined;
  #reject: (reason: unknown) => void = () => undefined;
  #queue: AnswerQueue | undefined = undefined;
  #closed = false;

  constructor({ user, method, path, headers = {}, body }: InProcessRequest) {
    super(method, path, joined(headers), noPeer);
    this.#headers = headers;
    this.caller = user;
    this.#body = body ?? '';
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  headerValues(name: string): readonly string[] {
    return [this.#headers[name] ?? []].flat();
  }

  requestBody(): AsyncIterable<Uint8Array> | undefined {
    return this.#body.length === 0 ? undefined : read({ length: undefined, pieces: () => [Buffer.from(this.#body)] });
  }

  respond(status: number, headers: ResponseHeaders, body: Uint8Array | string): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.#answer(status, headers, { length: bytes.length, pieces: () => [bytes] });
  }

  respondPieces(status: number, headers: ResponseHeaders, body: PiecewiseBody): Promise<void> {
    this.#answer(status, headers, body);
    return Promise.resolve();
  }

  /** The reader produces the pieces at its own pace. */
  #answer(status: number, headers: ResponseHeaders, body: PiecewiseBody): void {
    if (this.#closed || this.answered) return;
    this.markAnswered(status);
    const sent = this.method === 'HEAD' ? nothing : body;
    this.markSent(sent.length ?? 0);
    this.#resolve({ status, headers: joined(headers), body: read(sent), cancel: () => undefined });
    this.#close();
  }

  respondStream(status: number, headers: ResponseHeaders): ResponseStream {
    if (this.#closed || this.answered) return deadStream;
    this.markAnswered(status);
    if (this.method === 'HEAD') {
      this.#resolve({ status, headers: joined(headers), body: read(nothing), cancel: () => undefined });
      this.#close();
      return deadStream;
    }
    const queue = new AnswerQueue(
      (bytes) => this.markSent(bytes),
      () => this.#close(),
    );
    this.#queue = queue;
    const cancel = () => this.leave(clientGone());
    this.#resolve({ status, headers: joined(headers), body: queue.read(), cancel });
    return queue;
  }

  destroy(): void {
    this.#queue?.destroy();
  }

  /** The caller no longer wants the answer. A pending answer or read rejects with the reason. Does nothing after the end. */
  leave(reason: unknown): void {
    this.#reject(reason);
    this.#queue?.leave(reason);
    this.#close();
  }

  protected closeConnection(): void {
    this.leave(new Error('the server has closed the connection'));
  }

  protected get isOver(): boolean {
    return this.#closed;
  }

  protected readWholeBody(limitBytes: number): Promise<Buffer> {
    const bytes = Buffer.from(this.#body);
    if (bytes.length > limitBytes) return Promise.reject(requestEntityTooLarge(`limit is ${limitBytes}`));
    return Promise.resolve(bytes);
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.clientLeft();
    this.onClosed();
  }
}

function joined(headers: ResponseHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value.join(', ')]),
  );
}

/** Copies each piece, because pieces of one body may share memory and the reader may keep them. The reader decodes a long body in a turn of its own. */
async function* read(body: PiecewiseBody): AsyncGenerator<Uint8Array, void, undefined> {
  const pauses = new Pauses();
  let length = 0;
  for (const piece of body.pieces()) {
    length += piece.length;
    if (piece.length > 0) yield Uint8Array.from(piece);
    if (isTurnOver()) await pauses.next();
  }
  if (length > LONG_BYTES) await ownTurn();
}
