/** Where a stored value belongs. */
export interface ValueContext {
  /** The key of the value in the store. Providers with authentication refuse a value that was copied to another key. */
  readonly key: string;
  /** `secrets` or `deployments.apps`, for metrics. */
  readonly resource: string;
}

export interface ReadValue {
  readonly value: Uint8Array;
  /** The next update must write the value again, even when its content is the same. */
  readonly isStale: boolean;
  /** The provider authenticates nothing, so that the value may be anything. Default: authentic. */
  readonly isForgeable?: boolean;
}

/**
 * Turns values into what the store keeps, and back. A result is a promise only where a key must be fetched first, so
 * that watches stay synchronous. Failures are {@link TransformError}s. Upstream: apiserver `pkg/storage/value`.
 */
export interface Transformer {
  read(stored: Uint8Array, context: ValueContext): ReadValue | Promise<ReadValue>;
  write(value: Uint8Array, context: ValueContext): Uint8Array;
}

export interface TransformErrorOptions extends ErrorOptions {
  /** The value itself may be intact: a key service cannot be reached. */
  readonly isTransient?: boolean;
  /** The name of the gRPC status, for metrics. */
  readonly status?: string;
}

/** A value that cannot be transformed, in upstream's words. */
export class TransformError extends Error {
  override readonly name = 'TransformError';
  readonly isTransient: boolean;
  readonly status: string;
  constructor(
    message: string,
    { isTransient = false, status = 'unknown-non-grpc', ...options }: TransformErrorOptions = {},
  ) {
    super(message, options);
    this.isTransient = isTransient;
    this.status = status;
  }
}

/** Of a value that is too short for its provider. */
export function tooShort(): TransformError {
  return new TransformError('the stored data was shorter than the required size');
}
