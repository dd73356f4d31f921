import { randomUUID } from 'node:crypto';
import type { Filter } from '../http/index.js';

/**
 * Gives every request an id, the client's own where it sent one, and answers with it.
 * Upstream: apiserver `pkg/endpoints/filters/audit_init.go`.
 */
export const auditId: Filter = {
  name: 'audit-id',
  enter: (context) => {
    const given = context.exchange.headers['audit-id'];
    context.auditId = typeof given === 'string' && given !== '' ? given : randomUUID();
    context.responseHeaders['audit-id'] = context.auditId;
  },
};

/** Nothing that depends on who asks may be cached by others. Upstream: `pkg/endpoints/filters/cachecontrol.go`. */
export const cacheControl: Filter = {
  name: 'cache-control',
  enter: (context) => {
    context.responseHeaders['cache-control'] = 'no-cache, private';
  },
};
