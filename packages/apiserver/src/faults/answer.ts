import {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  internalError,
  methodNotSupported,
  notFound,
  OPTIMISTIC_LOCK_MESSAGE,
  resourceExpired,
  serviceUnavailable,
  StatusError,
  timeout,
  tooManyRequests,
  unauthorized,
  unclassified,
} from '@binnacle/apimachinery/status';
import type { RequestInfo } from '../request/index.js';
import type { FaultAction } from './rule.js';

type Answer = Extract<FaultAction, { type: 'answer' }>;

const MESSAGE = 'injected by a test';
const RETRY_AFTER_SECONDS = 1;

/** The error with which a real server would answer this request under that code. */
export function answerError({ code, message, retryAfterSeconds }: Answer, info: RequestInfo): StatusError {
  const { status } = defaultError(code, info);
  const retryAfter = retryAfterSeconds ?? status.details?.retryAfterSeconds ?? 0;
  const { retryAfterSeconds: _, ...details } = status.details ?? {};
  return new StatusError({
    ...status,
    message: message ?? status.message ?? MESSAGE,
    details: { ...details, ...(retryAfter === 0 ? {} : { retryAfterSeconds: retryAfter }) },
    code,
  });
}

function defaultError(code: number, info: RequestInfo): StatusError {
  const resource = { group: info.group, resource: info.resource };
  switch (code) {
    case 400:
      return badRequest(MESSAGE);
    case 401:
      return unauthorized();
    case 403:
      return forbidden(resource, info.name, MESSAGE);
    case 404:
      return notFound(resource, info.name);
    case 405:
      return methodNotSupported(resource, info.verb);
    case 409:
      return info.verb === 'create'
        ? alreadyExists(resource, info.name)
        : conflict(resource, info.name, OPTIMISTIC_LOCK_MESSAGE);
    case 410:
      return resourceExpired('The provided resource version is too old.');
    case 429:
      return tooManyRequests('Too many requests, please try again later.', RETRY_AFTER_SECONDS);
    case 500:
      return internalError(MESSAGE);
    case 503:
      return serviceUnavailable('the server is currently unable to handle the request');
    case 504:
      return timeout(MESSAGE);
    default:
      return unclassified(MESSAGE);
  }
}
