import type { Authorizer } from './authorizer.js';

/** Parts of the API of a kubelet. Upstream: the role `system:kubelet-api-admin`. */
const KUBELET_API: ReadonlySet<string> = new Set(['configz', 'healthz', 'log', 'metrics', 'pods', 'proxy', 'stats']);

/**
 * Lets the user of the server's own certificate for kubelets use their API. Kubelets ask about it before they answer the
 * server. Upstream has no such rule: kubeadm binds a role to the user's group.
 */
export function kubeletUserAuthorizer(name: string): Authorizer {
  return {
    authorize: ({ user, isResourceRequest, group, resource, subresource }) => {
      const isOfKubelet = isResourceRequest && group === '' && resource === 'nodes' && KUBELET_API.has(subresource);
      return { allowed: isOfKubelet && user.name === name, reason: '' };
    },
  };
}
