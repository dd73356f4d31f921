import { type GrantCheckOptions, grantCheck, grantingResources, RBAC_GROUP } from '../../authorization/index.js';
import type { WriteGuard } from '../../registry/index.js';

/**
 * The guards of roles and bindings, by `resource.group`. They refuse a request that would grant more than its user
 * holds.
 */
export function grantGuards(options: GrantCheckOptions): ReadonlyMap<string, WriteGuard> {
  const check = grantCheck(options);
  return new Map(
    grantingResources.map((resource) => [`${resource}.${RBAC_GROUP}`, guard({ group: RBAC_GROUP, resource })]),
  );

  function guard(resource: { group: string; resource: string }): WriteGuard {
    return {
      async check({ scope: { requester, userName, namespace }, name, object, old }) {
        // The server's own writes at its start have no requester.
        if (requester === undefined) return;
        await check({ user: { ...requester, name: userName }, resource, namespace, name, object, old });
      },
    };
  }
}
