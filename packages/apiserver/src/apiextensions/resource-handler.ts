import { badRequest, methodNotSupported, notFound, StatusError } from '@binnacle/apimachinery/status';
import { endpointHandler, type ResourceEndpoint } from '../endpoints/index.js';
import type { Handler, RequestInfo } from '../request/index.js';
import type { ServedDefinition } from './served-definition.js';

const acrossNamespaces: ReadonlySet<string> = new Set(['list', 'watch']);

/**
 * Whether a path with this group and scope exists for a definition that was found by the resource and the group. Its name alone does
 * not say where the group begins: a right to `as.b` of the group `c.com` gives no right to `as` of `b.c.com`. Upstream serves both.
 */
export function hasPath(
  { group, namespaced }: Pick<ServedDefinition, 'group' | 'namespaced'>,
  info: Pick<RequestInfo, 'group' | 'namespace' | 'verb'>,
): boolean {
  if (group !== info.group) return false;
  return namespaced ? info.namespace !== '' || acrossNamespaces.has(info.verb) : info.namespace === '';
}

/** Why no object is created while its definition is being deleted. */
export const TERMINATING = 'create not allowed while custom resource definition is terminating';

/**
 * The handler of a request to a custom resource. Throws the Status for a path or verb that has no handler, and for a create
 * while the definition is being deleted.
 */
export function customHandler(endpoint: ResourceEndpoint, info: RequestInfo, isTerminating: boolean): Handler {
  const { subresource, verb, name } = info;
  const target = subresource === '' ? endpoint : endpoint.subresources.get(subresource);
  if (target === undefined) throw notFound(endpoint.resource, name);
  if (!target.verbs.has(verb)) throw methodNotSupported(endpoint.resource, verb);
  if (verb === 'create' && subresource === '' && isTerminating) {
    throw new StatusError({ ...methodNotSupported(endpoint.resource, verb).status, message: TERMINATING });
  }
  if (name === '' && (verb === 'update' || verb === 'patch')) throw badRequest('name must be provided');
  // Bodies name their kind, and the kind's own rules check it.
  return endpointHandler(endpoint, info, () => true);
}
