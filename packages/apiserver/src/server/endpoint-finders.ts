import { type ResourceFacts, resourceOfKind } from '@binnacle/api/table';
import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import type { ApiExtensions } from '../apiextensions/index.js';
import type { FindEndpoint, ResourceEndpoint, ResourceRouter } from '../endpoints/index.js';
import type { FindKind } from './sources/index.js';

/** Finds the endpoint that stores objects of a built-in kind, in any version if its own is not served. */
export function builtInFinder(
  find: FindEndpoint,
  router: () => ResourceRouter,
): (kind: GroupVersionKind) => ResourceEndpoint | undefined {
  return (kind) => {
    const facts: ResourceFacts | undefined = resourceOfKind(kind);
    if (facts === undefined) return undefined;
    return router().endpoint(facts.group, facts.version, facts.resource) ?? find(facts.group, facts.resource);
  };
}

interface KindSources {
  readonly router: ResourceRouter;
  /** Custom resources; undefined when definitions are not served. */
  readonly extensions: ApiExtensions | undefined;
}

/** Finds the endpoint of a kind in exactly its version, built-in or custom. */
export function kindFinder(parts: () => KindSources): FindKind {
  return (kind) => {
    const facts = resourceOfKind(kind);
    if (facts === undefined) return parts().extensions?.findKind(kind);
    return parts().router.endpoint(facts.group, facts.version, facts.resource);
  };
}
