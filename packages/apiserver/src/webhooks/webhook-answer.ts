import type { Buffer } from 'node:buffer';
import { describeStatus, failureIn, WebhookCallError } from './call-error.js';

/** An answer that has arrived whole. */
export interface WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  /** The target of a redirect; undefined for any other answer. */
  readonly location: string | undefined;
  readonly body: Buffer;
}

/** The server responded with an error; the message therefore omits the request. */
export class AnsweredError extends WebhookCallError {}

/** The part of an error response that the message includes. */
const SHOWN_BYTES = 2048;

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Where a response redirects to, if it does. */
export function redirectIn(status: number, location: string | undefined): string | undefined {
  return REDIRECT_STATUSES.has(status) ? location : undefined;
}

/** As in browsers, only 307 and 308 keep the method and the body. */
export function keepsBody(status: number): boolean {
  return status >= 307;
}

/**
 * The body of a successful answer. Throws {@link AnsweredError} for any other answer. Upstream: client-go
 * `rest/request.go`.
 */
export function bodyOf({ status, contentType, body }: WebhookAnswer): Buffer {
  if (status < 200 || status >= 300) {
    // Upstream shows only text.
    const isText = contentType === '' || contentType.startsWith('text/');
    const shown = isText ? body.subarray(0, SHOWN_BYTES).toString('utf8').trim() : 'unknown';
    throw new AnsweredError(failureIn(body) ?? describeStatus(status, shown), { code: status });
  }
  if (body.length > 0) return body;
  const what = `status code: ${String(status)} and content type: ${contentType}`;
  throw new AnsweredError(`0-length response with ${what}`);
}
