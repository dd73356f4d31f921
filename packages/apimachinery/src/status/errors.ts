import { messageOf } from '../errors/index.js';
import { formatGroupKind, formatGroupResource, type GroupKind, type GroupResource } from '../meta/index.js';
import { type FieldError, fieldErrorDetail, formatFieldErrors } from './field-error.js';
import { quoteGo } from './quote.js';
import { type StatusCause, type StatusDetails, StatusError, type StatusReason } from './status.js';

// All errors of the API, as one table of constructors. Messages, reasons and codes are upstream's. Upstream:
// apimachinery `pkg/api/errors`.

function failure(
  code: number,
  reason: StatusReason | undefined,
  message: string,
  details?: StatusDetails,
  options?: ErrorOptions,
): StatusError {
  return new StatusError(
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    },
    options,
  );
}

function resourceDetails(resource: GroupResource, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    ...(resource.resource === '' ? {} : { kind: resource.resource }),
  };
}

export function notFound(resource: GroupResource, name: string): StatusError {
  return failure(
    404,
    'NotFound',
    `${formatGroupResource(resource)} ${quoteGo(name)} not found`,
    resourceDetails(resource, name),
  );
}

/** The path is unknown: no such resource or version. */
export function unknownResource(): StatusError {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function alreadyExists(resource: GroupResource, name: string): StatusError {
  return failure(
    409,
    'AlreadyExists',
    `${formatGroupResource(resource)} ${quoteGo(name)} already exists`,
    resourceDetails(resource, name),
  );
}

/** A generated name is taken. A retry will probably generate a free one. */
export function generatedNameTaken(resource: GroupResource, name: string): StatusError {
  const subject = `${formatGroupResource(resource)} ${quoteGo(name)}`;
  return failure(
    409,
    'AlreadyExists',
    `${subject} already exists, the server was not able to generate a unique name for the object`,
    { ...resourceDetails(resource, name), retryAfterSeconds: 1 },
  );
}

export function conflict(resource: GroupResource, name: string, cause: string): StatusError {
  return failure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${formatGroupResource(resource)} ${quoteGo(name)}: ${cause}`,
    resourceDetails(resource, name),
  );
}

/** An apply would change fields that others own; one cause for each. */
export function applyConflict(
  message: string,
  conflicts: readonly { readonly message: string; readonly field: string }[],
): StatusError {
  const causes = conflicts.map((each) => ({ reason: 'FieldManagerConflict', ...each }));
  return failure(409, 'Conflict', message, { causes });
}

export const OPTIMISTIC_LOCK_MESSAGE =
  'the object has been modified; please apply your changes to the latest version and try again';

/** A request body has room for millions of invalid items. Validation stops at this number of errors. */
export const ERRORS_MAXIMUM = 10_000;

/**
 * An object may hold 100,000 wrong keys, or a key of 1 MB above a thousand wrong values. kube-apiserver prints
 * errors in quadratic time, and takes seconds for half this text.
 */
const ERROR_TEXT_MAXIMUM = 3 * 1024 * 1024;

/** Reports every error of an object. Past 3 MiB of text it drops the rest, but never the first. */
export function invalid(kind: GroupKind, name: string, found: readonly FieldError[]): StatusError {
  const errors = firstErrors(found);
  const causes: StatusCause[] = errors.map((error) => ({
    reason: error.type,
    message: fieldErrorDetail(error),
    field: error.field,
  }));
  return failure(422, 'Invalid', `${formatGroupKind(kind)} ${quoteGo(name)} is invalid: ${formatFieldErrors(errors)}`, {
    ...(name === '' ? {} : { name }),
    ...(kind.group === '' ? {} : { group: kind.group }),
    ...(kind.kind === '' ? {} : { kind: kind.kind }),
    causes,
  });
}

/** The first errors whose text together has at most 3 MiB, and at least one. */
export function firstErrors(errors: readonly FieldError[]): readonly FieldError[] {
  let room = ERROR_TEXT_MAXIMUM;
  const end = errors.findIndex((error, index) => {
    room -= error.field.length + (error.shownValue?.length ?? 0) + error.detail.length;
    return room < 0 && index > 0;
  });
  return end === -1 ? errors : errors.slice(0, end);
}

export function badRequest(message: string): StatusError {
  return failure(400, 'BadRequest', message);
}

export function forbidden(resource: GroupResource, name: string, why: string, causes?: StatusCause[]): StatusError {
  const subject =
    resource.resource === '' && resource.group === ''
      ? 'forbidden'
      : name === ''
        ? `${formatGroupResource(resource)} is forbidden`
        : `${formatGroupResource(resource)} ${quoteGo(name)} is forbidden`;
  return failure(403, 'Forbidden', `${subject}: ${why}`, {
    ...resourceDetails(resource, name),
    ...(causes === undefined ? {} : { causes }),
  });
}

export function unauthorized(message = 'Unauthorized'): StatusError {
  return failure(401, 'Unauthorized', message);
}

/** The path and method have a handler, but the resource does not support the verb. */
export function methodNotSupported(resource: GroupResource, action: string): StatusError {
  return failure(
    405,
    'MethodNotAllowed',
    `${action} is not supported on resources of kind "${formatGroupResource(resource)}"`,
    resourceDetails(resource, ''),
  );
}

/** No handler is registered for this method and path. */
export function methodNotAllowed(): StatusError {
  return failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}

export function notAcceptable(available: readonly string[]): StatusError {
  return failure(406, 'NotAcceptable', `only the following media types are accepted: ${available.join(', ')}`);
}

/**
 * The client asked for the metadata of a list or of one object, and the response is the other. `type`: the Go type of the
 * response.
 */
export function notAcceptableShape(type: string, isList: boolean): StatusError {
  const [asked, is] = isList ? ['PartialObjectMetadata', 'a list'] : ['PartialObjectMetadataList', 'not a list'];
  return failure(406, 'NotAcceptable', `you requested ${asked}, but the requested object is ${is} (*${type})`);
}

/** No representation is acceptable. Upstream's older wording, with empty details. */
export function notAcceptableRepresentation(available: readonly string[]): StatusError {
  return failure(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`, {});
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  return failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
}

/** The content type of a PATCH is not a patch type. Upstream's older wording, with empty details. */
export function unsupportedPatchType(): StatusError {
  return failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

export function requestEntityTooLarge(message: string): StatusError {
  return failure(413, 'RequestEntityTooLarge', `Request entity is too large: ${message}`);
}

/** 410: the requested version has been compacted. `details` may carry a fresh continue token in the list metadata. */
export function resourceExpired(message: string, freshContinue?: string): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: freshContinue === undefined ? {} : { continue: freshContinue },
    status: 'Failure',
    message,
    reason: 'Expired',
    code: 410,
  });
}

export function tooLargeResourceVersion(requested: number | bigint, current: number): StatusError {
  return failure(504, 'Timeout', `Timeout: Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

export function timeout(message: string, retryAfterSeconds = 0): StatusError {
  return failure(504, 'Timeout', `Timeout: ${message}`, retryAfterSeconds === 0 ? {} : { retryAfterSeconds });
}

export function serverTimeout(resource: GroupResource, operation: string, retryAfterSeconds: number): StatusError {
  return failure(
    500,
    'ServerTimeout',
    `The ${operation} operation against ${formatGroupResource(resource)} could not be completed at this time, please try again.`,
    { ...resourceDetails(resource, ''), ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }) },
  );
}

export function tooManyRequests(message: string, retryAfterSeconds = 0): StatusError {
  return failure(429, 'TooManyRequests', message, retryAfterSeconds === 0 ? {} : { retryAfterSeconds });
}

export function serviceUnavailable(message: string, retryAfterSeconds = 0): StatusError {
  return failure(503, 'ServiceUnavailable', message, retryAfterSeconds === 0 ? {} : { retryAfterSeconds });
}

export function internalError(error: unknown): StatusError {
  const text = messageOf(error);
  return failure(
    500,
    'InternalError',
    `Internal error occurred: ${text}`,
    { causes: [{ message: text }] },
    { cause: error },
  );
}

/**
 * A plain Go error that upstream returns to the client: code 500, the bare message, no reason. Use it only where the
 * recordings show it, for example an invalid resourceVersion in an update.
 */
export function unclassified(message: string): StatusError {
  return failure(500, undefined, message);
}
