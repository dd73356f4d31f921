import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transport } from '@binnacle/client/transport';
import { answerText, DATA_HEADERS } from './answers.js';
import { PacedWriter } from './paced-writer.js';
import { forwardFault } from './request-rules.js';

/** The limit of a request body: upstream's for one object, and room for its YAML. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
/** Types that no browser runs. The rest arrives as bytes. */
const SHOWN_TYPES = /^(application\/(json|yaml)|text\/plain)(;|$)/;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The client has closed the connection, or the server stops. */
  readonly gone: AbortSignal;
}

/** Sends a request of the page to the API server, and its answer back. `target`: path and query there. */
export async function forward(transport: Transport, target: string, exchange: Exchange): Promise<void> {
  const { request, response, gone } = exchange;
  const { method = '' } = request;
  const fault = forwardFault(method, target);
  if (fault !== undefined) return answerText(response, 403, fault);
  const body = method === 'GET' ? undefined : await readLimited(request);
  if (body === 'too long') return answerText(response, 413, `the body is longer than ${MAX_BODY_BYTES} bytes`);
  const answer = await transport.send(
    { method, path: target, headers: headersOf(request), ...(body === undefined || body.length === 0 ? {} : { body }) },
    { signal: gone, ...(isEndless(target) ? {} : { timeout: TIMEOUT_MS }) },
  );
  const type = answer.headers['content-type'] ?? '';
  const { warning } = answer.headers;
  response.writeHead(answer.status, {
    ...DATA_HEADERS,
    'content-type': SHOWN_TYPES.test(type) ? type : 'application/octet-stream',
    ...(warning === undefined ? {} : { warning }),
  });
  const writer = new PacedWriter(response, gone);
  let left = MAX_ANSWER_BYTES;
  for await (const chunk of answer.body) {
    left -= chunk.length;
    if (left < 0) throw new Error(`the answer of the API server is longer than ${MAX_ANSWER_BYTES} bytes`);
    await writer.write(chunk);
  }
  response.end();
}

/** Whether the request follows the log of a pod, which the page ends. `forwardFault` refuses to follow anything else. */
const isEndless = (target: string): boolean => /[?&]follow=/.test(target);

/** The page chooses only the media types. Its cookies are never forwarded. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const { accept = 'application/json', 'content-type': type } = headers;
  return { accept, ...(type === undefined ? {} : { 'content-type': type }) };
}

async function readLimited(request: IncomingMessage): Promise<Uint8Array | 'too long'> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return 'too long';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
