import { TimeoutError } from '../clock/index.js';
import {
  isBadRequest,
  isExpired,
  isInternalError,
  isInvalid,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
} from '../rest/index.js';
import { ConnectionError } from '../transport/index.js';
import type { ReflectorFailure } from './state.js';
import { WentBackError } from './went-back-error.js';

const transient = [isTooManyRequests, isServiceUnavailable, isInternalError, isServerTimeout, isTimeout];

export function classifyFailure(error: unknown): ReflectorFailure {
  if (isExpired(error)) return 'expired';
  if (isTooLargeResourceVersion(error) || error instanceof WentBackError) return 'too-large';
  // How servers that cannot stream what there is refuse to.
  if (isInvalid(error) || isBadRequest(error)) return 'unsupported';
  if (error instanceof ConnectionError || error instanceof TimeoutError) return 'transient';
  return transient.some((is) => is(error)) ? 'transient' : 'other';
}
