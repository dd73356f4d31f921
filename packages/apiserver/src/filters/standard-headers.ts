import type { Random } from '@binnacle/apimachinery/clock';
import type { Filter } from '../request/index.js';

/**
 * Assigns an audit id to every request, and returns it. A client's own id is kept.
 * Upstream: apiserver `pkg/endpoints/filters/audit_init.go`.
 */
export function auditId(random: Random): Filter {
  return {
    name: 'audit-id',
    enter: (context) => {
      const given = context.exchange.headers['audit-id'];
      context.auditId = typeof given === 'string' && given !== '' ? given : random.uuid();
      context.responseHeaders['audit-id'] = context.auditId;
    },
  };
}

/**
 * Responses depend on the user, so no shared cache may store them.
 * Upstream: `pkg/endpoints/filters/cachecontrol.go`.
 */
export const cacheControl: Filter = {
  name: 'cache-control',
  enter: (context) => {
    context.responseHeaders['cache-control'] = 'no-cache, private';
  },
};
