import { StatusError, type StatusReason } from '@binnacle/apimachinery/status';

/** The known reasons. For another reason, or none, the status code decides. */
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
/** Another client has changed the object, or a precondition failed. */
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
/** The server timed out; the outcome is unknown. */
export const isTimeout = (error: unknown): error is StatusError => means(error, 'Timeout', 504);
/** The server cannot complete the request in a reasonable time, and asks for a retry. */
export const isServerTimeout = (error: unknown): error is StatusError => means(error, 'ServerTimeout');
/** The requested revision, or that of the `continue` token, has been compacted: list again. */
export const isExpired = (error: unknown): error is StatusError => means(error, 'Expired') || means(error, 'Gone', 410);

/** Whether the error has this cause, such as `NamespaceTerminating`. */
export function hasCause(error: unknown, reason: string): boolean {
  if (!(error instanceof StatusError)) return false;
  return error.status.details?.causes?.some((cause) => cause.reason === reason) ?? false;
}

/** The server has not reached the requested version. */
export function isTooLargeResourceVersion(error: unknown): error is StatusError {
  if (!isTimeout(error)) return false;
  return hasCause(error, 'ResourceVersionTooLarge') || /Too large resource version/.test(error.message);
}
