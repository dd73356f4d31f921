import { internalError, resourceExpired, serviceUnavailable, StatusError } from '@binnacle/apimachinery/status';
import { StorageError } from '../storage/index.js';

/**
 * The one place where storage's failure becomes an answer. Anything else is an internal error. Lists say themselves that
 * a revision has expired, so that here it is a watch that asked for it.
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
