import { readCertificateRequest } from '@binnacle/apimachinery/certificaterequests';
import type { SubjectAccessReviewSpec } from '@binnacle/client/kinds/authorization/v1';
import type { CertificateSigningRequest } from '@binnacle/client/kinds/certificates/v1';
import { isDecided, isIssued, kubeletClientProblem } from '../certificaterequests/index.js';

/** A right with which its owner gets a certificate at once. */
export interface Approval {
  readonly review: SubjectAccessReviewSpec;
  /** Of the condition. */
  readonly message: string;
}

const SELF = 'Auto approving self kubelet client certificate after SubjectAccessReview.';
const OTHER = 'Auto approving kubelet client certificate after SubjectAccessReview.';

/** The rights to check, in order; one of them is enough. None: the loop leaves the request to others. Throws for one that cannot be read. */
export function approvalsFor(request: CertificateSigningRequest): Approval[] {
  const { spec, metadata } = request;
  if (isIssued(request) || isDecided(request)) return [];
  const read = readCertificateRequest(spec.request);
  if (typeof read === 'string') throw new Error(`unable to parse csr ${JSON.stringify(metadata.name)}: ${read}`);
  if (spec.signerName !== 'kubernetes.io/kube-apiserver-client-kubelet') return [];
  if (kubeletClientProblem(read, spec.usages ?? []) !== undefined) return [];
  const isOwn = spec.username === read.commonName;
  return [
    ...(isOwn ? [{ review: reviewOf(request, 'selfnodeclient'), message: SELF }] : []),
    { review: reviewOf(request, 'nodeclient'), message: OTHER },
  ];
}

function reviewOf({ spec }: CertificateSigningRequest, subresource: string): SubjectAccessReviewSpec {
  const { username, uid, groups, extra } = spec;
  return {
    ...(username === undefined ? {} : { user: username }),
    ...(uid === undefined ? {} : { uid }),
    ...(groups === undefined ? {} : { groups }),
    ...(extra === undefined ? {} : { extra }),
    resourceAttributes: {
      group: 'certificates.k8s.io',
      version: '*',
      resource: 'certificatesigningrequests',
      subresource,
      verb: 'create',
    },
  };
}
