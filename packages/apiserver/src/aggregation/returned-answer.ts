import type { IncomingMessage } from 'node:http';
import { respondText, writeResponse } from '../http/index.js';
import type { RequestContext, ResponseHeaders, ResponseStream } from '../request/index.js';
import { returnedHeaders } from './forwarded-headers.js';

const REDIRECT = 'the backend attempted to redirect this request, which is not permitted';
const NO_BODY: ReadonlySet<number> = new Set([204, 304]);

/**
 * Answers a request with a backend's answer. It settles with the last byte. When the backend breaks off, so does the
 * answer. `upgrade`: the client asked for another protocol, so only an error makes sense.
 */
export async function returnAnswer(context: RequestContext, message: IncomingMessage, upgrade: boolean): Promise<void> {
  const status = message.statusCode ?? 0;
  if (upgrade && status < 400) {
    message.destroy();
    return respondText(context, 503, `invalid upgrade response: status code ${String(status)}\n`);
  }
  if (status >= 300 && status <= 399 && message.headers.location !== undefined) {
    message.destroy();
    return writeResponse(context, 502, { 'content-type': 'text/plain; charset=utf-8' }, REDIRECT);
  }
  const headers = withOwnHeaders(context, returnedHeaders(message.headers));
  try {
    if (!NO_BODY.has(status)) return await copy(message, context.exchange.respondStream(status, headers));
    message.resume();
    context.exchange.respond(status, headers, '');
  } catch (error) {
    // Node.js refuses to send some heads. The backend must not wait for a reader.
    message.destroy();
    throw error;
  }
}

/** As in Go, headers of both servers reach the client. */
function withOwnHeaders({ responseHeaders }: RequestContext, theirs: ResponseHeaders): ResponseHeaders {
  const headers: Record<string, string | readonly string[]> = { ...theirs };
  for (const [name, own] of Object.entries(responseHeaders)) headers[name] = [own, theirs[name] ?? []].flat();
  return headers;
}

async function copy(message: IncomingMessage, stream: ResponseStream): Promise<void> {
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      if (!stream.write(chunk)) await stream.drained();
    }
    stream.end();
  } catch {
    // The client has left, or the backend has broken off. The client must see that the answer is incomplete.
    stream.destroy();
  }
}
