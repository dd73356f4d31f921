import type { ResourceQuota } from '@binnacle/api/types/core-v1';
import { Quantity } from '@binnacle/apimachinery/quantity';

const RESOURCES = ['cpu', 'memory', 'storage', 'ephemeral-storage'];
/** Resources whose bare name means the request. */
const BARE: ReadonlySet<string> = new Set(['cpu', 'memory']);

/**
 * Warns of a quota that allows more requests than limits. Upstream: `pkg/registry/core/resourcequota`
 * WarningsOnCreate.
 */
export function quotaWarnings({ spec }: ResourceQuota): string[] {
  const hard = spec?.hard ?? {};
  return RESOURCES.flatMap((resource) => {
    const limitName = `limits.${resource}`;
    const requestName =
      BARE.has(resource) && !Object.hasOwn(hard, `requests.${resource}`) ? resource : `requests.${resource}`;
    const request = Object.hasOwn(hard, requestName) ? hard[requestName] : undefined;
    const limit = Object.hasOwn(hard, limitName) ? hard[limitName] : undefined;
    if (request === undefined || limit === undefined || Quantity.parse(request).compare(Quantity.parse(limit)) <= 0)
      return [];
    return [`ResourceQuota ${requestName} (${request}) should be less than ${limitName} (${limit})`];
  });
}
