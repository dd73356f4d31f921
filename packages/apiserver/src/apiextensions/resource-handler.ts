import { badRequest, methodNotSupported, notFound } from '@binnacle/apimachinery/status';
import { endpointHandler, type ResourceEndpoint } from '../endpoints/index.js';
import type { Handler } from '../http/index.js';
import type { RequestInfo } from '../request/index.js';

const acrossNamespaces: ReadonlySet<string> = new Set(['list', 'watch']);

/** Whether a path of this scope exists at all; otherwise nothing stands behind it. */
export function isInScope(namespaced: boolean, { namespace, verb }: RequestInfo): boolean {
  return namespaced ? namespace !== '' || acrossNamespaces.has(verb) : namespace === '';
}

/** The handler of a request to a custom resource. Throws what there is to say when there is none. */
export function customHandler(endpoint: ResourceEndpoint, info: RequestInfo): Handler {
  const { subresource, verb, name } = info;
  const target = subresource === '' ? endpoint : endpoint.subresources.get(subresource);
  if (target === undefined) throw notFound(endpoint.resource, name);
  if (!target.verbs.has(verb)) throw methodNotSupported(endpoint.resource, verb);
  if (name === '' && (verb === 'update' || verb === 'patch')) throw badRequest('name must be provided');
  // Bodies name their kind themselves, and the kind's own rules look whether it is right.
  return endpointHandler(endpoint, info, () => true);
}
