import type { PodCertificateRequest } from '@binnacle/api/types/certificates-v1beta1';
import { isSamePodCertificateStatus } from '@binnacle/api/validation';
import type { Clock } from '@binnacle/apimachinery/clock';
import { asKind } from '@binnacle/apimachinery/meta';
import { type FieldError, forbiddenField, invalid, invalidValue, quoteGo } from '@binnacle/apimachinery/status';
import { mayForSigner, type SignerAuthorizer } from '../../admission/index.js';
import type { GuardedWrite, WriteGuard } from '../../registry/index.js';

const GROUP = 'certificates.k8s.io';
/** How far the beginning of a new certificate may be from the time of the server. */
const SKEW_MS = 5 * 60_000;

export interface PodCertificateGuardOptions {
  readonly authorizer: SignerAuthorizer;
  readonly clock: Clock;
}

/**
 * Only users who may sign for the signer of a PodCertificateRequest may issue its certificate, which must begin now, or deny it.
 * Validation checks that the certificate is for the key of the request. Upstream: `pkg/registry/certificates/podcertificaterequest` StatusStrategy.
 */
export function podCertificateGuard({ authorizer, clock }: PodCertificateGuardOptions): WriteGuard {
  return {
    async check({ scope, object, old }) {
      if (scope.subresource !== 'status' || scope.requester === undefined) return;
      const [{ status }, before] = [requestOf(object), old === undefined ? undefined : requestOf(old)];
      if (isSamePodCertificateStatus(status, before?.status)) return;
      const user = { ...scope.requester, name: scope.userName };
      const signer = before?.spec?.signerName ?? '';
      const errors: FieldError[] = [];
      if (!(await mayForSigner(authorizer, user, 'sign', signer))) {
        const detail = `User ${quoteGo(user.name)} is not permitted to "sign" for signer ${quoteGo(signer)}`;
        errors.push(forbiddenField('spec.signerName', detail));
      }
      const begin = status?.notBefore;
      if (begin !== undefined && Math.abs(Date.parse(begin) - clock.now()) >= SKEW_MS) {
        const detail = "must be set to within 5 minutes of kube-apiserver's current time";
        errors.push(invalidValue('status.notBefore', begin, detail));
      }
      if (errors.length > 0) throw invalid({ group: GROUP, kind: object.kind }, object.metadata.name ?? '', errors);
    },
  };
}

function requestOf(object: GuardedWrite['object']): Partial<PodCertificateRequest> {
  return asKind<Partial<PodCertificateRequest>>(object);
}
