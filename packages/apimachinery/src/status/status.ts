/** The response to a failed request and to a delete. Upstream: `metav1.Status`. Fields are in wire order. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string; readonly remainingItemCount?: number };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: StatusReason;
  readonly details?: StatusDetails;
  readonly code?: number;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** A resource or a kind, depending on the error, like upstream. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export type StatusReason =
  | 'AlreadyExists'
  | 'BadRequest'
  | 'Conflict'
  | 'Expired'
  | 'Forbidden'
  | 'Gone'
  | 'InternalError'
  | 'Invalid'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'NotFound'
  | 'RequestEntityTooLarge'
  | 'ServerTimeout'
  | 'ServiceUnavailable'
  | 'StorageReadError'
  | 'Timeout'
  | 'TooManyRequests'
  | 'Unauthorized'
  | 'UnsupportedMediaType';

/**
 * The only error that crosses HTTP. The edge turns every other error into a 500 InternalError and logs it once with its
 * cause.
 */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: Status;
  constructor(status: Status, options?: ErrorOptions) {
    super(status.message ?? '', options);
    this.status = status;
  }
  get code(): number {
    return this.status.code ?? 500;
  }
  get reason(): StatusReason | undefined {
    return this.status.reason;
  }
}
