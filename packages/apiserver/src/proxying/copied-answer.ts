import type { IncomingMessage } from 'node:http';
import type { RequestContext, ResponseHeaders, ResponseStream } from '../request/index.js';

const NO_BODY: ReadonlySet<number> = new Set([204, 304]);

/**
 * Answers a request with a backend's status and body, and with these of its headers. It settles with the last byte. When
 * the backend breaks off, so does the answer.
 */
export async function copyAnswer(
  context: RequestContext,
  message: IncomingMessage,
  theirs: ResponseHeaders,
  body: AsyncIterable<Buffer> = message,
): Promise<void> {
  const status = message.statusCode ?? 0;
  const headers = withOwnHeaders(context, theirs);
  try {
    if (!NO_BODY.has(status)) return await copy(body, context.exchange.respondStream(status, headers));
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

async function copy(body: AsyncIterable<Buffer>, stream: ResponseStream): Promise<void> {
  try {
    for await (const chunk of body) {
      if (!stream.write(chunk)) await stream.drained();
    }
    stream.end();
  } catch {
    // The client has left, or the backend has broken off. The client must see that the answer is incomplete.
    stream.destroy();
  }
}
