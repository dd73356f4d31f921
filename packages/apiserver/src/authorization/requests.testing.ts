import type { UserInfo } from '../authentication/index.js';
import type { AuthorizationAttributes } from './authorizer.js';

export const jane: UserInfo = { name: 'jane', uid: '', groups: ['dev', 'system:authenticated'], extra: {} };

/** `get /path`, or `get group/resource[/subresource] [namespace [name]]`. */
export function asked(text: string, user = jane): AuthorizationAttributes {
  const [verb = '', what = '', namespace = '', name = ''] = text.split(' ');
  const isResourceRequest = !what.startsWith('/');
  const [group = '', resource = '', subresource = ''] = isResourceRequest ? what.split('/') : [];
  return {
    user,
    verb,
    isResourceRequest,
    namespace: namespace === '-' ? '' : namespace,
    group: group === 'core' ? '' : group,
    version: isResourceRequest ? 'v1' : '',
    resource,
    subresource,
    name,
    path: isResourceRequest ? '' : what,
  };
}
