import { internalError, resourceExpired, serviceUnavailable, StatusError } from '@binnacle/apimachinery/status';
import { StorageError } from '../storage/index.js';

/**
 * The one place that translates a storage error to a Status. Other errors are internal errors. Lists report an
 * expired revision themselves, so here `expired` comes from a watch.
 */
export function statusErrorOf(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  if (!(error instanceof StorageError)) return internalError(error);
  switch (error.code) {
    case 'expired':
      return resourceExpired('The resourceVersion for the provided watch is too old.');
    case 'damaged':
      return internalError(error);
    default:
      return serviceUnavailable(`storage: ${error.message}`);
  }
}
