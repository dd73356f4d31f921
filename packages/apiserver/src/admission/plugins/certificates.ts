import type { CertificateSigningRequest } from '@binnacle/api/types/certificates-v1';
import { readCertificateRequest } from '@binnacle/api/validation';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { UserInfo } from '../../authentication/index.js';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';

const REQUESTS = ['certificatesigningrequests.certificates.k8s.io'];
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';

export interface SignerAuthorizer {
  /** Whether the user may do this to the synthetic resource `signers` of the name. */
  maySign(user: UserInfo, verb: 'approve' | 'sign', signerName: string): Promise<boolean>;
}

/** Requests are approved by who may approve for their signer. Upstream: `plugin/pkg/admission/certificates/approval`. */
export function certificateApproval(authorizer: SignerAuthorizer): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    resources: REQUESTS,
    handles: (operation) => operation === 'UPDATE',
    validate(attributes) {
      if (!isRequest(attributes, 'approval')) return;
      return check(authorizer, attributes, 'approve');
    },
  };
}

/** The same for their certificates. Upstream: `plugin/pkg/admission/certificates/signing`. */
export function certificateSigning(authorizer: SignerAuthorizer): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    resources: REQUESTS,
    handles: (operation) => operation === 'UPDATE',
    validate(attributes) {
      if (!isRequest(attributes, 'status')) return;
      const status = (attributes.object as unknown as CertificateSigningRequest).status;
      const old = (attributes.oldObject as unknown as CertificateSigningRequest).status;
      const same = status?.certificate === old?.certificate && semanticEqual(status?.conditions, old?.conditions);
      return same ? undefined : check(authorizer, attributes, 'sign');
    },
  };
}

/** The group that may do anything is not given out by a certificate. Upstream: `plugin/pkg/admission/certificates/subjectrestriction`. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  resources: REQUESTS,
  handles: (operation) => operation === 'CREATE',
  validate(attributes) {
    if (!isRequest(attributes, '')) return;
    const { signerName, request } = (attributes.object as unknown as CertificateSigningRequest).spec ?? {};
    if (signerName !== CLIENT_SIGNER) return;
    const requested = readCertificateRequest(request ?? '');
    if (typeof requested === 'string') throw refusal(attributes, `failed to parse CSR: ${requested}`);
    if (!requested.organizations.includes('system:masters')) return;
    throw refusal(attributes, `use of ${CLIENT_SIGNER} signer with system:masters group is not allowed`);
  },
};

function isRequest({ resource, subresource }: AdmissionAttributes, wanted: string): boolean {
  return (
    resource.group === 'certificates.k8s.io' &&
    resource.resource === 'certificatesigningrequests' &&
    subresource === wanted
  );
}

/** By the signer that the request had before, and by its whole domain. */
async function check(
  authorizer: SignerAuthorizer,
  attributes: AdmissionAttributes,
  verb: 'approve' | 'sign',
): Promise<void> {
  const signer = (attributes.oldObject as unknown as CertificateSigningRequest).spec?.signerName ?? '';
  const domain = signer.split('/', 1)[0] ?? '';
  for (const name of [signer, `${domain}/*`]) {
    if (await authorizer.maySign(attributes.user, verb, name)) return;
  }
  throw refusal(attributes, `user not permitted to ${verb} requests with signerName ${JSON.stringify(signer)}`);
}
