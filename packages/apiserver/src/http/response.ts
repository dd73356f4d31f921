import { indentJson, type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { isPretty } from '@binnacle/apimachinery/serializer';
import type { StatusError } from '@binnacle/apimachinery/status';
import type { ResponseHeaders, ResponseStream } from './exchange.js';
import { acceptsGzip, GZIP_THRESHOLD_BYTES, sendGzipped } from './gzip.js';
import { type Body, piecesOf } from './piecewise-body.js';
import type { RequestContext } from './request-context.js';
import { warningHeaders } from './warning-header.js';

/**
 * The one way in which a whole answer leaves: with the headers that filters asked for, the warnings, and gzip for large
 * bodies where the client takes it. Does nothing when the request has been answered. Settles when the answer is on its
 * way; the promise exists only where compression had to be waited for, and settles then when all of it is.
 */
export function writeResponse(
  context: RequestContext,
  status: number,
  headers: ResponseHeaders,
  body: Body | string,
): void | Promise<void> {
  const { exchange } = context;
  if (exchange.answered) return;
  const head = responseHead(context, headers);
  const large = body.length > GZIP_THRESHOLD_BYTES && head['content-encoding'] === undefined;
  if (large && acceptsGzip(exchange.headers['accept-encoding'])) {
    const compressedHead = { ...head, 'content-encoding': 'gzip', vary: 'Accept-Encoding' };
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    return sendGzipped(exchange.respondStream(status, compressedHead), piecesOf(bytes));
  }
  exchange.respond(status, head, body);
}

/** The one way in which a streamed answer leaves: the same headers, never compressed. */
export function writeStream(context: RequestContext, status: number, headers: ResponseHeaders): ResponseStream {
  return context.exchange.respondStream(status, responseHead(context, headers));
}

/** Answers with the error's Status, as JSON, and `Retry-After` where it carries a time. */
export function respondStatus(context: RequestContext, error: StatusError): void | Promise<void> {
  const { status } = error;
  const retryAfter = status.details?.retryAfterSeconds ?? 0;
  return respondJson(context, error.code, status, retryAfter > 0 ? { 'retry-after': String(retryAfter) } : {});
}

/** Answers with a document of ours (a Status, discovery): JSON values in the order in which they are to appear. */
export function respondJson(
  context: RequestContext,
  status: number,
  document: object,
  headers: ResponseHeaders = {},
): void | Promise<void> {
  const text = stringifyJson(document as JsonObject);
  const body = wantsPretty(context) ? indentJson(text) : `${text}\n`;
  return writeResponse(context, status, { 'content-type': 'application/json', ...headers }, body);
}

export function respondText(context: RequestContext, status: number, text: string): void | Promise<void> {
  return writeResponse(
    context,
    status,
    { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    text,
  );
}

/** Whether JSON and YAML are to be indented. */
export function wantsPretty({ query, exchange }: RequestContext): boolean {
  return isPretty(query.get('pretty') ?? undefined, exchange.headers['user-agent']);
}

function responseHead(context: RequestContext, headers: ResponseHeaders): Record<string, string | readonly string[]> {
  const head: Record<string, string | readonly string[]> = { ...context.responseHeaders, ...headers };
  if (context.warnings.length > 0) head['warning'] = warningHeaders(context.warnings);
  return head;
}
