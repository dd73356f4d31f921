import type { SendOptions, Transport, TransportRequest, TransportResponse } from '../transport/index.js';

/** What to answer: an object, with 200; lines of a watch; a whole answer; or an error to throw. */
export type ScriptedAnswer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly object: unknown }
  | { readonly lines: Iterable<unknown> | AsyncIterable<unknown> }
  | Error;

/** A transport without a server. `answer` is asked for each request, and what was sent is kept. */
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
    const headers = { 'content-type': 'application/json' };
    if ('lines' in answer) return { status: 200, headers, body: encoded(answer.lines, '\n'), cancel: () => undefined };
    return {
      status: answer.status ?? 200,
      headers: { ...headers, ...answer.headers },
      body: encoded([answer.object], ''),
      cancel: () => undefined,
    };
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}

async function* encoded(values: Iterable<unknown> | AsyncIterable<unknown>, end: string): AsyncGenerator<Uint8Array> {
  for await (const value of values)
    yield Buffer.from(`${typeof value === 'string' ? value : JSON.stringify(value)}${end}`);
}
