import { deprecationWarning, kubernetesVersion, type ServedSet } from '@binnacle/api/table';
import { StatusError } from '@binnacle/apimachinery/status';
import type { ResourceRouter } from '../../endpoints/index.js';
import type { CountedRequest } from '../../metrics/index.js';
import type { RequestInfo } from '../../request/index.js';

const API: CountedRequest = { component: 'apiserver' };
const OTHER: CountedRequest = { component: '' };

/** Non-resource paths that upstream counts, with their labels. */
const paths: ReadonlyMap<string, CountedRequest> = new Map([
  ['/api', API],
  ['/apis', API],
  ['/healthz', OTHER],
  ['/livez', OTHER],
  ['/readyz', OTHER],
]);

/**
 * Finds the label under which a request is counted. Only requests with a handler and a few well-known paths are
 * counted.
 */
export function countedRequests(
  router: ResourceRouter,
  { resources }: ServedSet,
): (info: RequestInfo) => CountedRequest | undefined {
  const release = kubernetesVersion();
  return (info) => {
    if (!info.isResourceRequest) return paths.get(info.path);
    if (!isServed(router, info)) return undefined;
    const { group, version, resource } = info;
    const facts = resources.find(
      (served) => served.group === group && served.version === version && served.resource === resource,
    );
    if (facts === undefined || deprecationWarning(facts, release) === undefined) return API;
    return { ...API, removedRelease: facts.removed ?? '' };
  };
}

function isServed(router: ResourceRouter, info: RequestInfo): boolean {
  try {
    return router.handlerFor(info) !== undefined;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}
