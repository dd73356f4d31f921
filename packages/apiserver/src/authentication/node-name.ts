import type { UserInfo } from './user.js';

const NODE_USER = 'system:node:';
const NODE_GROUP = 'system:nodes';

/**
 * The node name of a user. Undefined when the user is not a node, empty when the node does not identify itself.
 * Upstream: kubernetes `pkg/auth/nodeidentifier`.
 */
export function nodeNameOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(NODE_USER) && groups.includes(NODE_GROUP) ? name.slice(NODE_USER.length) : undefined;
}
