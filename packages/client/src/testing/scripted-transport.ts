import type { SendOptions, Transport, TransportRequest, TransportResponse } from '../transport/index.js';

interface ScriptedHead {
  /** Default: 200. */
  readonly status?: number;
  /** Default: `application/json`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response: an object, raw bytes or the lines of a watch; or an error to throw. */
export type ScriptedAnswer = (ScriptedHead & ScriptedBody) | Error;

type ScriptedBody =
  | { readonly object: unknown }
  | { readonly chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array> }
  | { readonly lines: Iterable<unknown> | AsyncIterable<unknown> };

/** A transport without a server. `answer` returns the response of each request. Requests are recorded. */
export class ScriptedTransport implements Transport {
  readonly requests: TransportRequest[] = [];
  readonly #answer: (request: TransportRequest, options: SendOptions) => ScriptedAnswer | Promise<ScriptedAnswer>;

  constructor(answer: (request: TransportRequest, options: SendOptions) => ScriptedAnswer | Promise<ScriptedAnswer>) {
    this.#answer = answer;
  }

  async send(request: TransportRequest, options: SendOptions = {}): Promise<TransportResponse> {
    options.signal?.throwIfAborted();
    this.requests.push(request);
    const answer = await this.#answer(request, options);
    if (answer instanceof Error) throw answer;
    const { status = 200, headers } = answer;
    return {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: bodyOf(answer),
      cancel: () => undefined,
    };
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}

async function* bodyOf(answer: ScriptedBody): AsyncGenerator<Uint8Array> {
  if ('chunks' in answer) yield* answer.chunks;
  else if ('lines' in answer) for await (const line of answer.lines) yield encoded(line, '\n');
  else yield encoded(answer.object, '');
}

function encoded(value: unknown, end: string): Uint8Array {
  return Buffer.from(`${typeof value === 'string' ? value : JSON.stringify(value)}${end}`);
}
