import type { GroupResource } from '@binnacle/apimachinery/meta';
import type { RequestContext } from '../request/index.js';
import type { FaultMatch, Wanted } from './rule.js';

/** Whether the rule matches this request. */
export function matchesRequest(match: FaultMatch, { info, user }: RequestContext): boolean {
  return (
    fits(match.verb, info.verb) &&
    fits(match.group, info.group) &&
    fits(match.version, info.version) &&
    fits(match.resource, info.resource) &&
    fits(match.subresource, info.subresource) &&
    fits(match.namespace, info.namespace) &&
    fits(match.name, info.name) &&
    fits(match.user, user.name)
  );
}

/** Whether the rule matches the cache of this resource. */
export function matchesResource(match: FaultMatch, { group, resource }: GroupResource): boolean {
  return fits(match.group, group) && fits(match.resource, resource);
}

function fits(wanted: Wanted | undefined, value: string): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === 'string' ? wanted === value : wanted.includes(value);
}
