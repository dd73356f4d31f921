import { isNotFound } from '@binnacle/client/rest';
import { StatusError } from '@binnacle/apimachinery/status';

/** Whether nothing can be created in a namespace any more, for good: it is being deleted, or is gone. */
export function isNamespaceEnding(error: unknown): error is StatusError {
  if (isNotFound(error)) return true;
  if (!(error instanceof StatusError)) return false;
  return error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
}
