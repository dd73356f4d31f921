import { messageOf } from '@binnacle/apimachinery/errors';
import { getOwn, isObject, type JsonObject, parseJson } from '@binnacle/apimachinery/json';

/** What the server passes to a webhook. */
export interface WebhookCall {
  readonly contentType: string;
  /** Undefined: it is longer than {@link MAX_BODY_BYTES}. */
  readonly body: Uint8Array | undefined;
  /** Fires when the client has closed the connection. */
  readonly signal: AbortSignal;
  /** For errors that the response does not describe in full. */
  readonly report: (error: unknown) => void;
}

export interface WebhookAnswer {
  readonly code: number;
  /** Undefined: no body. */
  readonly review: JsonObject | undefined;
}

/**
 * The longest body: two objects of 3 MB each, and 1 MB for the rest. Upstream: controller-runtime's `maxRequestSize`.
 */
export const MAX_BODY_BYTES = 7 * 1024 * 1024;

/** A review that cannot be read. */
export class ReviewError extends Error {
  override readonly name = 'ReviewError';
  readonly code: number;

  constructor(message: string, code = 400, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The review in a request body. Throws a {@link ReviewError} when it is not a review of this type. */
export function readReview({ body, contentType }: WebhookCall, apiVersion: string, kind: string): JsonObject {
  if (body === undefined) {
    throw new ReviewError(`request entity is too large; limit is ${MAX_BODY_BYTES} bytes`, 413);
  }
  if (body.length === 0) throw new ReviewError('request body is empty');
  if (contentType !== 'application/json') {
    throw new ReviewError(`contentType=${contentType}, expected application/json`);
  }
  const review = parse(body);
  if (!isObject(review) || getOwn(review, 'apiVersion') !== apiVersion || getOwn(review, 'kind') !== kind) {
    throw new ReviewError(`the request is not an ${apiVersion} ${kind}`);
  }
  return review;
}

function parse(body: Uint8Array): unknown {
  try {
    return parseJson(body).value;
  } catch (error) {
    throw new ReviewError(messageOf(error), 400, { cause: error });
  }
}
