export type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.js';
export { bootstrapRbac } from './bootstrap.js';
export { type GrantCheckOptions, grantCheck, grantingResources } from './grant-check.js';
export { nodeAuthorizer } from './node-authorizer.js';
export type { NodeObjects } from './node-relations.js';
export { describeMissing, joinErrors, rbacAuthorizer, rulesFor } from './rbac.js';
export { RBAC_GROUP } from './role-source.js';
export type { PolicyRule, Role, RoleBinding, RoleSource, Subject } from './role-source.js';
export { privilegedGroupAuthorizer, unionAuthorizer } from './union.js';
