import { forbidden, type StatusCause, type StatusError } from '@binnacle/apimachinery/status';
import type { AdmissionAttributes } from './plugin.js';

/**
 * What a plugin throws to refuse a request. An object whose name is still to be generated is spoken of by its prefix.
 * Upstream: apiserver `pkg/admission.NewForbidden`.
 */
export function refusal(
  attributes: Pick<AdmissionAttributes, 'resource' | 'name' | 'object'>,
  why: string,
  causes?: StatusCause[],
): StatusError {
  const { name = '', generateName = '' } = attributes.object?.metadata ?? {};
  return forbidden(attributes.resource, attributes.name || name || generateName || 'Unknown', why, causes);
}

/** Several reasons as one text. Upstream: apimachinery `util/errors.NewAggregate`. */
export function aggregate(reasons: readonly string[]): string {
  const different = [...new Set(reasons)];
  return different.length === 1 ? (different[0] ?? '') : `[${different.join(', ')}]`;
}
