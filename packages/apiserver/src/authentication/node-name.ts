import type { UserInfo } from './user.js';

const NODE_USER = 'system:node:';
const NODE_GROUP = 'system:nodes';

/**
 * The node that a user is: undefined for who is none, empty for a node that does not say which.
 * Upstream: kubernetes `pkg/auth/nodeidentifier`.
 */
export function nodeNameOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(NODE_USER) && groups.includes(NODE_GROUP) ? name.slice(NODE_USER.length) : undefined;
}
