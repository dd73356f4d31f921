import { TimeoutError } from '@binnacle/apimachinery/clock';
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

/** The server's resourceVersion went down: its store was restored from a backup, or this is another server. */
export class VersionRegressedError extends Error {
  override readonly name = 'VersionRegressedError';

  constructor(before: string, version: string) {
    super(`the server's resourceVersion went back from ${before} to ${version}`);
  }
}

/** False unless both are decimal numbers; other resourceVersions have no order. Upstream: apimachinery `resourceversion`. */
export function isOlder(version: string, than: string): boolean {
  if (![version, than].every((each) => /^[1-9]\d*$/.test(each))) return false;
  return version.length === than.length ? version < than : version.length < than.length;
}

const transient = [isTooManyRequests, isServiceUnavailable, isInternalError, isServerTimeout, isTimeout];

export function classifyFailure(error: unknown): ReflectorFailure {
  if (isExpired(error)) return 'expired';
  if (isTooLargeResourceVersion(error) || error instanceof VersionRegressedError) return 'too-large';
  // How servers without `sendInitialEvents` refuse it.
  if (isInvalid(error) || isBadRequest(error)) return 'unsupported';
  if (error instanceof ConnectionError || error instanceof TimeoutError) return 'transient';
  return transient.some((is) => is(error)) ? 'transient' : 'other';
}
