import { type ClientRequest, type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import type { BackendRequest } from '../proxying/index.js';

/** An answer of a backend as Node.js reads it. An error in place of a piece breaks the connection. */
export function messageOf({
  status = 200,
  headers = {},
  body = [],
}: {
  readonly status?: number;
  readonly headers?: IncomingHttpHeaders;
  readonly body?: readonly (string | Error)[];
} = {}): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.statusCode = status;
  message.headers = headers;
  for (const piece of body) {
    if (typeof piece === 'string') message.push(piece);
    else setImmediate(() => message.destroy(piece));
  }
  if (body.every((piece) => typeof piece === 'string')) message.push(null);
  return message;
}

/** How a backend reacts to a request: with an answer, an upgrade or an error, or not at all. */
export type Reaction = IncomingMessage | { readonly upgraded: IncomingMessage } | Error | undefined;

export interface ReceivedRequest extends Omit<BackendRequest, 'signal'> {
  body: string;
}

/** Requests to a backend that is a function. */
export class FakeBackend {
  readonly received: ReceivedRequest[] = [];
  /** The connections of upgraded requests. */
  readonly upgraded: PassThrough[] = [];
  readonly #react: (request: ReceivedRequest) => Reaction;
  readonly #isReused: () => boolean;

  constructor(react: (request: ReceivedRequest) => Reaction, isReused = () => false) {
    this.#react = react;
    this.#isReused = isReused;
  }

  open({ signal, ...sent }: BackendRequest): ClientRequest {
    const received: ReceivedRequest = { ...sent, body: '' };
    const stream = new Writable({
      // A request stays open until its answer.
      autoDestroy: false,
      write: (chunk: Buffer, _encoding, done) => {
        received.body += chunk.toString();
        done();
      },
      final: (done) => {
        this.received.push(received);
        done();
        const reaction = this.#react(received);
        if (reaction instanceof Error) stream.destroy(reaction);
        else if (reaction instanceof IncomingMessage) stream.emit('response', reaction);
        else if (reaction !== undefined) {
          const socket = new PassThrough();
          this.upgraded.push(socket);
          stream.emit('upgrade', reaction.upgraded, socket, Buffer.alloc(0));
        }
      },
    });
    signal.addEventListener('abort', () => stream.destroy(new Error('aborted')), { once: true });
    // A ClientRequest has many more members, which nothing here reads.
    return Object.assign(stream, { reusedSocket: this.#isReused() }) as unknown as ClientRequest;
  }
}
