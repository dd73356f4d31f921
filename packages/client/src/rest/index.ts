export { decodeObject, exchange, isStatus, statusErrorOf, UnexpectedResponseError } from './responses.js';
export { type EncodedBody, type Encoding, type Format, formatOf, jsonEncoding, jsonFormat } from './encoding.js';
export type {
  ServerSideApplyOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PatchOptions,
  PatchType,
  SelectOptions,
  WatchOptions,
  WriteOptions,
} from './options.js';
export {
  hasCause,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
} from './predicates.js';
export {
  applyRequest,
  createRequest,
  deleteCollectionRequest,
  deleteRequest,
  getRequest,
  listRequest,
  type Patch,
  patchRequest,
  updateRequest,
  watchRequest,
} from './requests.js';
export { type RetryOptions, retryOnConflict, retryOnError } from './retry-on-conflict.js';
export { pathOf, type Target } from './target.js';
export { decodeWatchEvent, endsInitialEvents, type WatchEvent } from './watch-event.js';
export { warnOfError } from './warn-of-error.js';
