import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@binnacle/api/types/rbac-v1';
import type { CertificateSigningRequest, CertificateSigningRequestSpec } from '@binnacle/api/types/certificates-v1';
import type { ClusterTrustBundle, PodCertificateRequest } from '@binnacle/api/types/certificates-v1beta1';
import {
  rbacName,
  validateCertificateSigningRequest,
  validateCertificateSigningRequestApprovalUpdate,
  validateCertificateSigningRequestStatusUpdate,
  validateCertificateSigningRequestUpdate,
  validateClusterRole,
  validateClusterRoleBinding,
  validateClusterRoleBindingUpdate,
  validateClusterRoleUpdate,
  validateClusterTrustBundle,
  validateClusterTrustBundleUpdate,
  validatePodCertificateRequest,
  validatePodCertificateRequestStatusUpdate,
  validatePodCertificateRequestUpdate,
  validateRole,
  validateRoleBinding,
  validateRoleBindingUpdate,
  validateRoleUpdate,
} from '@binnacle/api/validation';
import { formatTime } from '@binnacle/apimachinery/time';
import type { Requester, Strategy } from '../registry/index.js';
import { kind, type PlainStrategy, restore } from './kind.js';
import { statusStrategy } from './status.js';

// Upstream: `pkg/registry/rbac`, `pkg/registry/certificates`.

const roles: PlainStrategy = { validateName: rbacName, allowCreateOnUpdate: true, keepsUnreadable: true };

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

/** Records the requester from the authenticated user. Approval is only possible through the subresource. */
export const certificateSigningRequestStrategy: Strategy = kind<CertificateSigningRequest>(
  {
    prepareForCreate(request, { userName, requester }) {
      delete request.status;
      const { uid: _, groups: __, extra: ___, ...asked } = request.spec ?? { request: '', signerName: '' };
      request.spec = { ...asked, username: userName, ...identity(requester) };
    },
    prepareForUpdate(request, old) {
      restore(request, old, 'spec');
      restore(request, old, 'status');
    },
    validate: validateCertificateSigningRequest,
    validateUpdate: validateCertificateSigningRequestUpdate,
    selectable: (request) => ({ 'spec.signerName': request.spec?.signerName ?? '' }),
  },
  { validateName: () => [] },
);

function identity(requester: Requester | undefined): Partial<CertificateSigningRequestSpec> {
  const { uid = '', groups = [], extra = {} } = requester ?? {};
  const entries = Object.entries(extra).map(([key, values]): [string, string[]] => [key, [...values]]);
  return {
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(entries.length === 0 ? {} : { extra: Object.fromEntries(entries) }),
  };
}

/** The name depends on the signer, so validation checks it. */
export const clusterTrustBundleStrategy: Strategy = kind<ClusterTrustBundle>(
  {
    validate: validateClusterTrustBundle,
    validateUpdate: validateClusterTrustBundleUpdate,
    selectable: ({ spec }) => ({ 'spec.signerName': spec?.signerName ?? '' }),
  },
  { validateName: () => [], allowUnconditionalUpdate: false },
);

export const podCertificateRequestStrategy: Strategy = kind<PodCertificateRequest>(
  {
    status: true,
    validate: validatePodCertificateRequest,
    validateUpdate: validatePodCertificateRequestUpdate,
    selectable: ({ spec }) => ({
      'spec.signerName': spec?.signerName ?? '',
      'spec.podName': spec?.podName ?? '',
      'spec.nodeName': spec?.nodeName ?? '',
    }),
  },
  { allowUnconditionalUpdate: false },
);

/** A guard checks who writes the status, and when a certificate begins. */
export const podCertificateStatusStrategy: Strategy = statusStrategy<PodCertificateRequest>({
  keeps: 'metadata',
  validateUpdate: validatePodCertificateRequestStatusUpdate,
});

/** Writes the certificate. Only the subresource `approval` writes the conditions Approved and Denied. */
export const certificateStatusStrategy: Strategy = statusStrategy<CertificateSigningRequest>({
  prepare(request, old, now) {
    for (const type of ['Approved', 'Denied']) keepConditions(request, old, type);
    stampConditions(request, old, now);
  },
  validateUpdate: validateCertificateSigningRequestStatusUpdate,
});

export const certificateApprovalStrategy: Strategy = statusStrategy<CertificateSigningRequest>({
  prepare(request, old, now) {
    stampConditions(request, old, now);
    const conditions = request.status?.conditions;
    const { conditions: _, ...status } = old.status ?? {};
    request.status = conditions === undefined ? status : { ...status, conditions };
  },
  validateUpdate: validateCertificateSigningRequestApprovalUpdate,
});

/** Restores the conditions of a type. If the write adds or removes one, it keeps them all, and validation refuses them. */
function keepConditions(
  request: CertificateSigningRequest,
  old: Readonly<CertificateSigningRequest>,
  type: string,
): void {
  const given = request.status?.conditions ?? [];
  const kept = (old.status?.conditions ?? []).filter((condition) => condition.type === type);
  if (given.filter((condition) => condition.type === type).length !== kept.length) return;
  for (const [index, condition] of given.entries()) {
    if (condition.type !== type) continue;
    const before = kept.shift();
    if (before !== undefined) given[index] = { ...before };
  }
}

/** Sets the times of the last update and the last transition of conditions. */
function stampConditions(
  request: CertificateSigningRequest,
  old: Readonly<CertificateSigningRequest>,
  now: number,
): void {
  const time = formatTime(now);
  for (const condition of request.status?.conditions ?? []) {
    condition.lastUpdateTime ||= time;
    if (condition.lastTransitionTime) continue;
    const same = (old.status?.conditions ?? []).find(
      (before) =>
        before.type === condition.type && before.status === condition.status && Boolean(before.lastTransitionTime),
    );
    condition.lastTransitionTime = same?.lastTransitionTime ?? time;
  }
}
