import { indentJson, type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { isPretty } from '@binnacle/apimachinery/serializer';
import type { StatusError } from '@binnacle/apimachinery/status';
import type { PiecewiseBody, RequestContext, ResponseHeaders, ResponseStream } from '../request/index.js';
import { acceptsGzip, GZIP_THRESHOLD_BYTES, sendGzipped } from './gzip.js';
import { type Body, PIECE_BYTES, slicedBody, startedBody } from './piecewise-body.js';
import { warningHeaders } from './warning-header.js';

/**
 * Sends every complete answer, with the headers that filters set, the warnings, and gzip for large bodies if the client
 * accepts it. Does nothing when the request has been answered. Returns a promise only if sending takes time; it settles
 * when the whole answer is handed to the connection.
 */
export function writeResponse(
  context: RequestContext,
  status: number,
  headers: ResponseHeaders,
  body: Body | string,
): void | Promise<void> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return bytes instanceof Uint8Array || bytes.length !== undefined
    ? writeBody(context, status, headers, bytes, bytes.length)
    : writeStarted(context, status, headers, bytes);
}

/** The first pieces of a body of unknown length show whether it is large. */
async function writeStarted(
  context: RequestContext,
  status: number,
  headers: ResponseHeaders,
  body: PiecewiseBody,
): Promise<void> {
  const started = await startedBody(body, GZIP_THRESHOLD_BYTES);
  await writeBody(context, status, headers, started, started.length);
}

function writeBody(
  context: RequestContext,
  status: number,
  headers: ResponseHeaders,
  body: Body,
  length = Number.POSITIVE_INFINITY,
): void | Promise<void> {
  const { exchange } = context;
  if (exchange.answered) return;
  const head = responseHead(context, headers);
  const isLarge = length > GZIP_THRESHOLD_BYTES && head['content-encoding'] === undefined;
  const isGzipped = isLarge && acceptsGzip(exchange.headers['accept-encoding']);
  if (!isGzipped && body instanceof Uint8Array && body.length <= PIECE_BYTES) {
    exchange.respond(status, head, body);
    return;
  }
  const pieces = body instanceof Uint8Array ? slicedBody(body) : body;
  if (!isGzipped) return exchange.respondPieces(status, head, pieces);
  const compressedHead = { ...head, 'content-encoding': 'gzip', vary: 'Accept-Encoding' };
  return sendGzipped(exchange.respondStream(status, compressedHead), pieces);
}

/** Sends every streamed answer: the same headers, never compressed. */
export function writeStream(context: RequestContext, status: number, headers: ResponseHeaders): ResponseStream {
  return context.exchange.respondStream(status, responseHead(context, headers));
}

/** Answers with the error's Status as JSON, and with `Retry-After` if it has one. */
export function respondStatus(context: RequestContext, error: StatusError): void | Promise<void> {
  const { status } = error;
  const retryAfter = status.details?.retryAfterSeconds ?? 0;
  return respondJson(context, error.code, status, retryAfter > 0 ? { 'retry-after': String(retryAfter) } : {});
}

/** Answers with a document that the server wrote (a Status, discovery). Its keys keep their order. */
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

/** Whether the client wants indented JSON and YAML. */
export function wantsPretty({ query, exchange }: RequestContext): boolean {
  return isPretty(query.get('pretty') ?? undefined, exchange.headers['user-agent']);
}

function responseHead(context: RequestContext, headers: ResponseHeaders): Record<string, string | readonly string[]> {
  const head: Record<string, string | readonly string[]> = Object.assign({}, context.responseHeaders, headers);
  if (context.warnings.length > 0) head['warning'] = warningHeaders(context.warnings);
  return head;
}
