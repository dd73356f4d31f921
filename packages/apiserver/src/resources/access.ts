import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@binnacle/api/types/rbac-v1';
import type { CertificateSigningRequest } from '@binnacle/api/types/certificates-v1';
import {
  rbacName,
  validateCertificateSigningRequest,
  validateClusterRole,
  validateClusterRoleBinding,
  validateClusterRoleBindingUpdate,
  validateClusterRoleUpdate,
  validateRole,
  validateRoleBinding,
  validateRoleBindingUpdate,
  validateRoleUpdate,
} from '@binnacle/api/validation';
import type { Strategy } from '../registry/index.js';
import { kind, type PlainStrategy, restore } from './kind.js';
import { statusStrategy } from './status.js';

/** Upstream: `pkg/registry/rbac`, `pkg/registry/certificates`. */
const roles: PlainStrategy = { validateName: rbacName, allowCreateOnUpdate: true };

export const roleStrategy: Strategy = kind<Role>({ validate: validateRole, validateUpdate: validateRoleUpdate }, roles);

export const clusterRoleStrategy: Strategy = kind<ClusterRole>(
  { validate: validateClusterRole, validateUpdate: validateClusterRoleUpdate },
  roles,
);

export const roleBindingStrategy: Strategy = kind<RoleBinding>(
  { validate: validateRoleBinding, validateUpdate: validateRoleBindingUpdate },
  roles,
);

export const clusterRoleBindingStrategy: Strategy = kind<ClusterRoleBinding>(
  { validate: validateClusterRoleBinding, validateUpdate: validateClusterRoleBindingUpdate },
  roles,
);

/** Says who asked, in words that the client cannot choose; approved only through its subresource. */
export const certificateSigningRequestStrategy: Strategy = kind<CertificateSigningRequest>({
  prepareForCreate(request, { userName }) {
    delete request.status;
    const { uid: _, groups: __, extra: ___, ...asked } = request.spec ?? { request: '', signerName: '' };
    request.spec = { ...asked, username: userName };
  },
  prepareForUpdate(request, old) {
    restore(request, old, 'spec');
    restore(request, old, 'status');
  },
  validate: validateCertificateSigningRequest,
  selectable: (request) => ({ 'spec.signerName': request.spec?.signerName ?? '' }),
});

/** Issues the certificate; approval is another subresource's. */
export const certificateStatusStrategy: Strategy = statusStrategy<CertificateSigningRequest>({
  prepare(request, old) {
    const { conditions: _, ...status } = request.status ?? {};
    const kept = old.status?.conditions;
    request.status = kept === undefined ? status : { ...status, conditions: kept };
  },
});

export const certificateApprovalStrategy: Strategy = statusStrategy<CertificateSigningRequest>({
  prepare(request, old) {
    const conditions = request.status?.conditions;
    const { conditions: _, ...status } = old.status ?? {};
    request.status = conditions === undefined ? status : { ...status, conditions };
  },
});
