import { forbidden, type StatusCause, type StatusError } from '@binnacle/apimachinery/status';
import type { AdmissionAttributes } from './plugin.js';

/**
 * The error that a plugin throws to refuse a request. It names an object by its generateName prefix until the name is
 * generated.
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
