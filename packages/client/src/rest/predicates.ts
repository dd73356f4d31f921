import { StatusError, type StatusReason } from '@binnacle/apimachinery/status';

/** Reasons that a server gives; with another one, or none, the code counts. */
const known: ReadonlySet<string> = new Set<StatusReason>([
  'AlreadyExists',
  'BadRequest',
  'Conflict',
  'Expired',
  'Forbidden',
  'Gone',
  'InternalError',
  'Invalid',
  'MethodNotAllowed',
  'NotAcceptable',
  'NotFound',
  'RequestEntityTooLarge',
  'ServerTimeout',
  'ServiceUnavailable',
  'Timeout',
  'TooManyRequests',
  'Unauthorized',
  'UnsupportedMediaType',
]);

function means(error: unknown, reason: StatusReason, code?: number): error is StatusError {
  if (!(error instanceof StatusError)) return false;
  if (error.reason !== undefined && known.has(error.reason)) return error.reason === reason;
  return code !== undefined && error.status.code === code;
}

export const isNotFound = (error: unknown): error is StatusError => means(error, 'NotFound', 404);
export const isAlreadyExists = (error: unknown): error is StatusError => means(error, 'AlreadyExists');
/** Somebody else was faster, or a precondition does not hold. */
export const isConflict = (error: unknown): error is StatusError => means(error, 'Conflict', 409);
export const isInvalid = (error: unknown): error is StatusError => means(error, 'Invalid', 422);
export const isBadRequest = (error: unknown): error is StatusError => means(error, 'BadRequest', 400);
export const isUnauthorized = (error: unknown): error is StatusError => means(error, 'Unauthorized', 401);
export const isForbidden = (error: unknown): error is StatusError => means(error, 'Forbidden', 403);
export const isMethodNotSupported = (error: unknown): error is StatusError => means(error, 'MethodNotAllowed', 405);
export const isNotAcceptable = (error: unknown): error is StatusError => means(error, 'NotAcceptable', 406);
export const isUnsupportedMediaType = (error: unknown): error is StatusError =>
  means(error, 'UnsupportedMediaType', 415);
export const isRequestEntityTooLarge = (error: unknown): error is StatusError =>
  means(error, 'RequestEntityTooLarge', 413);
export const isTooManyRequests = (error: unknown): error is StatusError => means(error, 'TooManyRequests', 429);
export const isInternalError = (error: unknown): error is StatusError => means(error, 'InternalError', 500);
export const isServiceUnavailable = (error: unknown): error is StatusError => means(error, 'ServiceUnavailable', 503);
/** The server ran out of time; it may or may not have acted. */
export const isTimeout = (error: unknown): error is StatusError => means(error, 'Timeout', 504);
/** The server could not begin in time, and asks to come back. */
export const isServerTimeout = (error: unknown): error is StatusError => means(error, 'ServerTimeout');
/** The version, or the place to go on from, is older than what the server remembers: list anew. */
export const isExpired = (error: unknown): error is StatusError => means(error, 'Expired') || means(error, 'Gone', 410);

/** One of the causes that the error names is this one, such as `NamespaceTerminating`. */
export function hasCause(error: unknown, reason: string): boolean {
  if (!(error instanceof StatusError)) return false;
  return error.status.details?.causes?.some((cause) => cause.reason === reason) ?? false;
}

/** The server has not come as far as the version that was asked for. */
export function isTooLargeResourceVersion(error: unknown): error is StatusError {
  if (!isTimeout(error)) return false;
  return hasCause(error, 'ResourceVersionTooLarge') || /Too large resource version/.test(error.message);
}
