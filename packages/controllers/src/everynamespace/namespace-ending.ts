import { hasCause, isNotFound } from '@binnacle/client/rest';

/** Whether nothing can be created in a namespace any more, for good: it is being deleted, or is gone. */
export function isNamespaceEnding(error: unknown): boolean {
  return isNotFound(error) || hasCause(error, 'NamespaceTerminating');
}
