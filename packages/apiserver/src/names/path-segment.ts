import { badRequest, quoteGo } from '@binnacle/apimachinery/status';
import { nameIsPathSegment } from '@binnacle/apimachinery/validation';

/**
 * Throws 400 for a name that cannot be a path segment, and therefore not part of a key.
 * Upstream: `NamespaceKeyFunc` of the generic registry.
 */
export function checkPathSegment(name: string): void {
  const problems = nameIsPathSegment(name, false);
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${quoteGo(name)}: ${problems.join(';')}`);
}
