import { isIP } from 'node:net';
import { getOwn, isObject, parseJson } from '@binnacle/apimachinery/json';
import { quoteGo } from '@binnacle/apimachinery/status';

interface CallErrorOptions extends ErrorOptions {
  readonly code?: number;
  readonly timedOut?: boolean;
}

/** The call of a webhook failed, or its response is invalid. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError';
  /** The status of the response, or 503. */
  readonly code: number;
  /** Whether the time for the call was over. */
  readonly timedOut: boolean;

  constructor(message: string, { code = 503, timedOut = false, ...options }: CallErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.timedOut = timedOut;
  }
}

/** Describes a connection failure in Go's words, because users search for them. */
export function describeFailure(error: unknown, timedOut = false): string {
  if (timedOut) return 'context deadline exceeded';
  if (!(error instanceof Error)) return String(error);
  const {
    code = '',
    address,
    port,
    hostname,
  } = error as NodeJS.ErrnoException & {
    readonly address?: string;
    readonly port?: number;
    readonly hostname?: string;
  };
  const target = address === undefined ? '' : ` ${address.includes(':') ? `[${address}]` : address}:${port ?? ''}`;
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp${target}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `dial tcp${target}: connect: no route to host`;
    case 'ENETUNREACH':
      return `dial tcp${target}: connect: network is unreachable`;
    case 'ENOTFOUND':
      return `dial tcp: lookup ${hostname ?? ''}: no such host`;
    case 'ECONNRESET':
      return 'EOF';
    case 'CERT_HAS_EXPIRED':
      return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `tls: failed to verify certificate: x509: ${hostnameProblem(error)}`;
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
    default:
      return error.message;
  }
}

/** Why a certificate does not match the host. Upstream: Go's `x509.HostnameError`. */
function hostnameProblem(error: Error): string {
  const { cert, host = '' } = error as HostnameError;
  const names = (cert?.subjectaltname ?? '').split(', ');
  const ofKind = (kind: string) => names.filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length));
  const [addresses, dnsNames] = [ofKind('IP Address:'), ofKind('DNS:')];
  if (isIP(host) !== 0) {
    return addresses.length === 0
      ? `cannot validate certificate for ${host} because it doesn't contain any IP SANs`
      : `certificate is valid for ${addresses.join(', ')}, not ${host}`;
  }
  if (dnsNames.length > 0) return `certificate is valid for ${dnsNames.join(', ')}, not ${host}`;
  return addresses.length === 0
    ? 'certificate relies on legacy Common Name field, use SANs instead'
    : `certificate is not valid for any names, but wanted to match ${host}`;
}

/**
 * The error of Node.js for a certificate that does not match. `subjectaltname` is a text such as
 * `DNS:a, IP Address:127.0.0.1`.
 */
interface HostnameError extends Error {
  readonly host?: string;
  readonly cert?: { readonly subjectaltname?: string };
}

/** Longer bodies are not parsed, to bound the cost of a failure. */
const MAX_STATUS_BYTES = 64 * 1024;

/** The message of a Status that reports a failure; undefined for any other body. Upstream: client-go `rest.Result` Error. */
export function failureIn(body: Uint8Array): string | undefined {
  if (body.length > MAX_STATUS_BYTES) return undefined;
  try {
    const { value } = parseJson(body);
    if (!isObject(value) || getOwn(value, 'status') !== 'Failure') return undefined;
    const isStatus = (getOwn(value, 'kind') ?? 'Status') === 'Status' && (getOwn(value, 'apiVersion') ?? 'v1') === 'v1';
    const message = getOwn(value, 'message');
    return isStatus && typeof message === 'string' && message !== '' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The message for an HTTP status other than success. Upstream: apimachinery `errors.NewGenericServerResponse`. */
export function describeStatus(status: number, body: string): string {
  switch (status) {
    case 400:
      return 'the server rejected our request for an unknown reason';
    case 403:
    case 415:
      return body;
    case 406:
      return body === '' ? 'the server was unable to respond with a content type that the client supports' : body;
    case 409:
      return 'the server reported a conflict';
    case 422:
      return 'the server rejected our request due to an error in our request';
    case 401:
      return 'the server has asked for the client to provide credentials';
    case 404:
      return 'the server could not find the requested resource';
    case 405:
      return 'the server does not allow this method on the requested resource';
    case 429:
      return 'the server has received too many requests and has asked us to try again later';
    case 503:
      return 'the server is currently unable to handle the request';
    case 504:
      return 'the server was unable to return a response in the time allotted, but may still be processing the request';
    default:
      if (status >= 500) {
        return `an error on the server (${quoteGo(body)}) has prevented the request from succeeding`;
      }
      return `the server responded with the status code ${String(status)} but did not return more information`;
  }
}
