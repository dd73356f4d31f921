import { type CertificateRequest, readCertificateRequest } from '@binnacle/apimachinery/certificaterequests';
import type { CertificateSigningRequest } from '@binnacle/client/kinds/certificates/v1';
import {
  isApproved,
  isFailed,
  isIssued,
  kubeletClientProblem,
  kubeletServingProblem,
} from '../certificaterequests/index.js';

/** `sign`: the content of the certificate. `failure`: why the signer refuses it. */
export type SigningPlan = { readonly sign: CertificateRequest } | { readonly failure: string } | undefined;

type Rule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** The signers, and why they refuse a request. */
const signers: ReadonlyMap<string, Rule> = new Map([
  ['kubernetes.io/kubelet-serving', kubeletServingProblem],
  ['kubernetes.io/kube-apiserver-client-kubelet', kubeletClientProblem],
  ['kubernetes.io/kube-apiserver-client', (_, usages) => clientUsageProblem(usages)],
  // Only old requests can name it.
  ['kubernetes.io/legacy-unknown', () => undefined],
]);

/** Undefined: there is nothing to do. Throws for an approved request that cannot be read. */
export function planSigning(request: CertificateSigningRequest): SigningPlan {
  const { spec, metadata } = request;
  const problemOf = signers.get(spec.signerName);
  if (problemOf === undefined || isIssued(request) || !isApproved(request) || isFailed(request)) return undefined;
  const read = readCertificateRequest(spec.request);
  if (typeof read === 'string') throw new Error(`unable to parse csr ${JSON.stringify(metadata.name)}: ${read}`);
  const failure = problemOf(read, spec.usages ?? []);
  return failure === undefined ? { sign: read } : { failure };
}

function clientUsageProblem(usages: readonly string[]): string | undefined {
  const allowed = ['digital signature', 'key encipherment', 'client auth'];
  const unknown = usages.find((usage) => !allowed.includes(usage));
  if (unknown !== undefined) return `invalid usage for client certificate: ${unknown}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}
