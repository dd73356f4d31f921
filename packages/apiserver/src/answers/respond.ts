import { stringifyJson } from '@binnacle/apimachinery/json';
import type { Status, StatusError } from '@binnacle/apimachinery/status';
import { type Body, writeResponse } from '../http/index.js';
import type { RequestContext, ResponseHeaders } from '../request/index.js';
import { stage } from '../slices/index.js';
import { auditAnswer } from './audit-answer.js';
import { documentOf, type Encoding } from './encoding.js';
import { encodingOf } from './encoding-of.js';
import { negotiateStatus, type Representation } from './negotiation.js';

/** Responds in the negotiated media type. */
export async function respond(
  context: RequestContext,
  representation: Representation,
  status: number,
  encode: (encoding: Encoding) => Body | Promise<Body>,
): Promise<void> {
  if (context.audit?.recordsResponse === true) await auditAnswer(context.audit, encode);
  const known = encodingOf(context, representation.mediaType);
  const encoding = known instanceof Promise ? await known : known;
  const made = encode(encoding);
  const body = made instanceof Promise ? await made : made;
  await writeResponse(context, status, { 'content-type': encoding.contentType }, body);
}

/**
 * Responds with an error's Status in the media type that the client prefers, and `Retry-After` if the error has a
 * delay.
 */
export async function respondWithError(context: RequestContext, error: StatusError): Promise<void> {
  const retryAfter = error.status.details?.retryAfterSeconds ?? 0;
  await respondWithStatus(
    context,
    error.code,
    error.status,
    retryAfter > 0 ? { 'retry-after': String(retryAfter) } : {},
  );
}

/** Responds with a Status, in the supported media type that the client prefers. */
export async function respondWithStatus(
  context: RequestContext,
  code: number,
  status: Status,
  headers: ResponseHeaders = {},
): Promise<void> {
  const encoding = await encodingOf(context, negotiateStatus(context));
  await stage();
  const document = documentOf(status);
  context.audit?.responseStatus(status);
  if (context.audit?.recordsResponse === true) context.audit.responseObject(stringifyJson(document));
  const body = encoding.document(document);
  await writeResponse(context, code, { 'content-type': encoding.contentType, ...headers }, body);
}
