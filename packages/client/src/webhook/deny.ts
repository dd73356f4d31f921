import { messageOf } from '@binnacle/apimachinery/errors';
import { type Status, type StatusDetails, StatusError, type StatusReason } from '@binnacle/apimachinery/status';

export interface DenyOptions {
  /** The HTTP status of the response to the client. Default: 403. */
  readonly code?: number;
  /** Default: `Forbidden` for 403, otherwise none. */
  readonly reason?: StatusReason;
  /** Such as the fields that are invalid. */
  readonly details?: StatusDetails;
}

/** Denies the request that the handler decides about, by throwing a `StatusError`. */
export function deny(message: string, { code = 403, reason, details }: DenyOptions = {}): never {
  const given = reason ?? (code === 403 ? 'Forbidden' : undefined);
  throw new StatusError(failure(message, code, given, details));
}

/** The status of a refusal. */
export function failure(message: string, code: number, reason?: StatusReason, details?: StatusDetails): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  };
}

/** Errors that JavaScript throws for mistakes in a program, as Go panics. */
const mistakes = [TypeError, RangeError, ReferenceError, SyntaxError];

export function isMistake(error: unknown): boolean {
  return !(error instanceof Error) || mistakes.some((type) => error instanceof type);
}

/**
 * The status for an error of a handler: that of a `StatusError`, 500 for a mistake in the program, and 403 with the
 * message of any other error. Upstream: controller-runtime's `validatorForType` and `Webhook.Handle`.
 */
export function statusOf(error: unknown): Status {
  if (error instanceof StatusError) return error.status;
  const message = messageOf(error);
  return isMistake(error) ? failure(`panic: ${message} [recovered]`, 500) : failure(message, 403, 'Forbidden');
}
