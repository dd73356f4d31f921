import type { Subject } from './role-source.js';

const RBAC_GROUP = 'rbac.authorization.k8s.io';

export function userSubject(name: string): Subject {
  return { kind: 'User', apiGroup: RBAC_GROUP, name };
}

function groupSubject(name: string): Subject {
  return { kind: 'Group', apiGroup: RBAC_GROUP, name };
}

/** All default service accounts are in kube-system. */
export function accountSubject(name: string): Subject {
  return { kind: 'ServiceAccount', name, namespace: 'kube-system' };
}

/** Cluster role bindings by name; the role has the same name. Those of controllers are derived from their roles. */
export const defaultClusterRoleBindings: Readonly<Record<string, readonly Subject[]>> = {
  'cluster-admin': [groupSubject('system:masters')],
  'system:basic-user': [groupSubject('system:authenticated')],
  'system:discovery': [groupSubject('system:authenticated')],
  'system:kube-controller-manager': [userSubject('system:kube-controller-manager')],
  'system:kube-dns': [accountSubject('kube-dns')],
  'system:kube-scheduler': [userSubject('system:kube-scheduler')],
  'system:monitoring': [groupSubject('system:monitoring')],
  'system:node': [],
  'system:node-proxier': [userSubject('system:kube-proxy')],
  'system:public-info-viewer': [groupSubject('system:authenticated'), groupSubject('system:unauthenticated')],
  'system:service-account-issuer-discovery': [groupSubject('system:serviceaccounts')],
  'system:volume-scheduler': [userSubject('system:kube-scheduler')],
};
