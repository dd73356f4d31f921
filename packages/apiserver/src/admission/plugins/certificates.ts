import { asKind } from '@binnacle/apimachinery/meta';
import type { CertificateSigningRequest } from '@binnacle/api/types/certificates-v1';
import type { ClusterTrustBundle } from '@binnacle/api/types/certificates-v1beta1';
import { readCertificateRequest } from '@binnacle/apimachinery/certificaterequests';
import { isOnlyGarbageCollection, semanticEqual } from '@binnacle/apimachinery/validation';
import type { UserInfo } from '../../authentication/index.js';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';

const REQUESTS = ['certificatesigningrequests.certificates.k8s.io'];
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';

type SignerVerb = 'approve' | 'sign' | 'attest';

export interface SignerAuthorizer {
  /** Whether the user may perform this verb on the virtual resource `signers` of that name. */
  maySign(user: UserInfo, verb: SignerVerb, signerName: string): Promise<boolean>;
}

/**
 * Only users who may approve for the signer approve a request.
 * Upstream: `plugin/pkg/admission/certificates/approval`.
 */
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

/** Only users who may sign for the signer set a certificate. Upstream: `plugin/pkg/admission/certificates/signing`. */
export function certificateSigning(authorizer: SignerAuthorizer): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    resources: REQUESTS,
    handles: (operation) => operation === 'UPDATE',
    validate(attributes) {
      if (!isRequest(attributes, 'status')) return;
      const status = asKind<CertificateSigningRequest>(attributes.object)?.status;
      const old = asKind<CertificateSigningRequest>(attributes.oldObject)?.status;
      const same = status?.certificate === old?.certificate && semanticEqual(status?.conditions, old?.conditions);
      return same ? undefined : check(authorizer, attributes, 'sign');
    },
  };
}

/**
 * Only users who may attest for the signer write its trust bundles. Metadata updates that the garbage collector needs
 * are exempt.
 * Upstream: `plugin/pkg/admission/certificates/ctbattest`.
 */
export function clusterTrustBundleAttest(authorizer: SignerAuthorizer): AdmissionPlugin {
  return {
    name: 'ClusterTrustBundleAttest',
    resources: ['clustertrustbundles.certificates.k8s.io'],
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    async validate(attributes) {
      const { resource, object, oldObject, user } = attributes;
      if (resource.group !== 'certificates.k8s.io' || resource.resource !== 'clustertrustbundles') return;
      const signer = asKind<ClusterTrustBundle>(object)?.spec?.signerName ?? '';
      if (signer === '' || (object !== undefined && isOnlyGarbageCollection(object, oldObject))) return;
      if (await mayForSigner(authorizer, user, 'attest', signer)) return;
      throw refusal(attributes, `user not permitted to attest for signerName ${JSON.stringify(signer)}`);
    },
  };
}

/**
 * Refuses client certificates for the group `system:masters`.
 * Upstream: `plugin/pkg/admission/certificates/subjectrestriction`.
 */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  resources: REQUESTS,
  handles: (operation) => operation === 'CREATE',
  validate(attributes) {
    if (!isRequest(attributes, '')) return;
    const { signerName, request } = asKind<CertificateSigningRequest>(attributes.object)?.spec ?? {};
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

/** Checks the signer of the stored request. */
async function check(
  authorizer: SignerAuthorizer,
  attributes: AdmissionAttributes,
  verb: 'approve' | 'sign',
): Promise<void> {
  const signer = asKind<CertificateSigningRequest>(attributes.oldObject)?.spec?.signerName ?? '';
  if (await mayForSigner(authorizer, attributes.user, verb, signer)) return;
  throw refusal(attributes, `user not permitted to ${verb} requests with signerName ${JSON.stringify(signer)}`);
}

/** Checks the right to the signer, then to all signers of its domain. */
export async function mayForSigner(
  authorizer: SignerAuthorizer,
  user: UserInfo,
  verb: SignerVerb,
  signer: string,
): Promise<boolean> {
  const domain = signer.split('/', 1)[0] ?? '';
  return (await authorizer.maySign(user, verb, signer)) || authorizer.maySign(user, verb, `${domain}/*`);
}
