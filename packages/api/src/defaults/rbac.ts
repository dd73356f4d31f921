import type { RoleBinding, Subject } from '../generated/types/rbac-v1.js';
import { typeRule, type TypeRuleEntry } from './type-rule.js';
import { isEmpty, member } from './values.js';

const group = 'rbac.authorization.k8s.io';

function defaultBinding(binding: RoleBinding): void {
  const roleRef = member(binding, 'roleRef');
  if (isEmpty(roleRef.apiGroup)) roleRef.apiGroup = group;
}

function defaultSubject(subject: Subject): void {
  if (isEmpty(subject.apiGroup) && (subject.kind === 'User' || subject.kind === 'Group')) subject.apiGroup = group;
}

export const rbacDefaults: readonly TypeRuleEntry[] = [
  typeRule('io.k8s.api.rbac.v1.RoleBinding', defaultBinding),
  typeRule('io.k8s.api.rbac.v1.ClusterRoleBinding', defaultBinding),
  typeRule('io.k8s.api.rbac.v1.Subject', defaultSubject),
];
