import { accountSubject, userSubject } from './default-bindings.js';
import type { Subject } from './role-source.js';
import type { RuleTable } from './rule-table.js';

/** Roles in the system namespaces. */
export const defaultNamespaceRoles: Readonly<Record<string, RuleTable>> = {
  'kube-public': {
    'system:controller:bootstrap-signer': [
      'get list watch | core | configmaps',
      'update | core | configmaps | cluster-info',
      'create patch update | core events.k8s.io | events',
    ],
  },
  'kube-system': {
    'extension-apiserver-authentication-reader': [
      'get list watch | core | configmaps | extension-apiserver-authentication',
    ],
    'system::leader-locking-kube-controller-manager': [
      'create get list update watch | coordination.k8s.io | leases',
      'create get list update watch | coordination.k8s.io | leasecandidates',
    ],
    'system::leader-locking-kube-scheduler': [
      'create get list update watch | coordination.k8s.io | leases',
      'create get list update watch | coordination.k8s.io | leasecandidates',
    ],
    'system:controller:bootstrap-signer': ['get list watch | core | secrets'],
    'system:controller:cloud-provider': ['create get list watch | core | configmaps'],
    'system:controller:token-cleaner': [
      'delete get list watch | core | secrets',
      'create patch update | core events.k8s.io | events',
    ],
  },
};

export interface NamespaceRoleBinding {
  readonly namespace: string;
  readonly name: string;
  readonly role: string;
  readonly subjects: readonly Subject[];
}

export const defaultNamespaceRoleBindings: readonly NamespaceRoleBinding[] = [
  sameName('kube-public', 'system:controller:bootstrap-signer', [accountSubject('bootstrap-signer')]),
  {
    namespace: 'kube-system',
    name: 'system::extension-apiserver-authentication-reader',
    role: 'extension-apiserver-authentication-reader',
    subjects: [userSubject('system:kube-controller-manager'), userSubject('system:kube-scheduler')],
  },
  sameName('kube-system', 'system::leader-locking-kube-controller-manager', [
    userSubject('system:kube-controller-manager'),
    accountSubject('kube-controller-manager'),
    accountSubject('leader-election-controller'),
  ]),
  sameName('kube-system', 'system::leader-locking-kube-scheduler', [
    userSubject('system:kube-scheduler'),
    accountSubject('kube-scheduler'),
  ]),
  sameName('kube-system', 'system:controller:bootstrap-signer', [accountSubject('bootstrap-signer')]),
  sameName('kube-system', 'system:controller:cloud-provider', [accountSubject('cloud-provider')]),
  sameName('kube-system', 'system:controller:token-cleaner', [accountSubject('token-cleaner')]),
];

function sameName(namespace: string, name: string, subjects: readonly Subject[]): NamespaceRoleBinding {
  return { namespace, name, role: name, subjects };
}
