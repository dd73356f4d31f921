export type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.js';
export { bootstrapRbac } from './bootstrap.js';
export { nodeAuthorizer } from './node-authorizer.js';
export type { NodeObjects } from './node-relations.js';
export { joinErrors, rbacAuthorizer, rulesFor } from './rbac.js';
export type { PolicyRule, Role, RoleBinding, RoleSource, Subject } from './role-source.js';
export { ruleAllows } from './rule-match.js';
export { privilegedGroupAuthorizer, unionAuthorizer } from './union.js';
