import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { type Status, StatusError, type StatusReason } from '@binnacle/apimachinery/status';
import {
  readBody,
  type SendOptions,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '../transport/index.js';
import { type Encoding, type Format, formatOf, jsonEncoding } from './encoding.js';

/** The response is none that an API server sends; it may come from a proxy. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
}

type Head = Pick<TransportResponse, 'status' | 'headers'>;

/**
 * Decodes the object of a response. Throws the {@link StatusError} of a refusal, and an {@link UnexpectedResponseError} for anything that is not an
 * object.
 */
export function decodeObject(
  request: TransportRequest,
  { status, headers }: Head,
  body: Uint8Array,
  encoding: Encoding = jsonEncoding,
): JsonObject {
  if (status < 200 || status > 299) throw statusErrorOf(request, { status, headers }, body, encoding);
  const format = formatOf(encoding, headers['content-type']);
  const value = tryDecode(format, body);
  if (!isObject(value)) {
    throw new UnexpectedResponseError(
      `${request.method} ${request.path}: the response is not an object in ${format.mediaType}: ${excerpt(body)}`,
    );
  }
  return value;
}

/** The server's Status, or one derived from the status code. Upstream: `errors.NewGenericServerResponse`. */
export function statusErrorOf(
  request: TransportRequest,
  { status, headers }: Head,
  body: Uint8Array,
  encoding: Encoding = jsonEncoding,
): StatusError {
  const value = tryDecode(formatOf(encoding, headers['content-type']), body);
  if (isStatus(value)) return new StatusError({ ...value, code: value.code ?? status });
  const [reason, message] = reasonAndMessage(status, request.method, excerpt(body));
  const seconds = Number(headers['retry-after']);
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `${message} (${request.method} ${request.path.replace(/\?.*/s, '')})`,
    ...(reason === undefined ? {} : { reason }),
    ...(Number.isInteger(seconds) && seconds > 0 ? { details: { retryAfterSeconds: seconds } } : {}),
    code: status,
  });
}

export function isStatus(value: JsonValue | undefined): value is JsonObject & Status {
  return isObject(value) && getOwn(value, 'kind') === 'Status' && getOwn(value, 'status') === 'Failure';
}

function reasonAndMessage(code: number, method: string, text: string): readonly [StatusReason | undefined, string] {
  switch (code) {
    case 400:
      return ['BadRequest', 'the server rejected our request for an unknown reason'];
    case 401:
      return ['Unauthorized', 'the server has asked for the client to provide credentials'];
    case 403:
      return ['Forbidden', text === '' ? 'the server forbids this' : text];
    case 404:
      return ['NotFound', 'the server could not find the requested resource'];
    case 405:
      return ['MethodNotAllowed', 'the server does not allow this method on the requested resource'];
    case 406:
      return ['NotAcceptable', 'the server was unable to respond with a content type that the client supports'];
    case 409:
      return [method === 'POST' ? 'AlreadyExists' : 'Conflict', 'the server reported a conflict'];
    case 410:
      return ['Gone', 'what was asked for is gone'];
    case 413:
      return ['RequestEntityTooLarge', 'the request is too large'];
    case 415:
      return ['UnsupportedMediaType', text === '' ? 'the server does not take this type of content' : text];
    case 422:
      return ['Invalid', 'the server rejected our request due to an error in our request'];
    case 429:
      return ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'];
    case 503:
      return ['ServiceUnavailable', 'the server is currently unable to handle the request'];
    case 504:
      return [
        'Timeout',
        'the server was unable to return a response in the time allotted, but may still be processing the request',
      ];
    default:
      return code >= 500
        ? [
            'InternalError',
            `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`,
          ]
        : [undefined, `the server responded with the status code ${code} but did not return more information`];
  }
}

/** Undefined if the body cannot be decoded. A format's own UnexpectedResponseError is thrown. */
function tryDecode(format: Format, body: Uint8Array): JsonValue | undefined {
  try {
    return format.decode(body);
  } catch (error) {
    if (error instanceof UnexpectedResponseError) throw error;
    return undefined;
  }
}

const MAX_EXCERPT_BYTES = 200;

function excerpt(body: Uint8Array): string {
  const text = Buffer.from(body.subarray(0, MAX_EXCERPT_BYTES)).toString().trim();
  return body.length > MAX_EXCERPT_BYTES ? `${text}...` : text;
}

/** Sends a request and decodes the object of its response. Rejects with the transport's errors and those of {@link decodeObject}. */
export async function exchange(
  transport: Transport,
  request: TransportRequest,
  options: SendOptions = {},
  encoding: Encoding = jsonEncoding,
): Promise<JsonObject> {
  const response = await transport.send(request, options);
  return decodeObject(request, response, await readBody(response), encoding);
}
