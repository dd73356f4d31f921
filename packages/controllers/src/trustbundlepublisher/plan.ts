import { createHash } from 'node:crypto';
import type { ClusterTrustBundle } from '@binnacle/client/kinds/certificates/v1beta1';

/** The signer of serving certificates of API servers. */
export const SIGNER = 'kubernetes.io/kube-apiserver-serving';

const HASH_BYTES = 12;

export interface TrustBundlePlan {
  readonly create?: ClusterTrustBundle;
  readonly update?: ClusterTrustBundle;
  readonly remove: readonly ClusterTrustBundle[];
}

/** One bundle with the authority, named after its content, and no other one of the signer. */
export function planTrustBundles(present: readonly ClusterTrustBundle[], authority: string): TrustBundlePlan {
  const name = bundleName(authority);
  const spec = { signerName: SIGNER, trustBundle: authority };
  const current = present.find(({ metadata }) => metadata.name === name);
  const remove = present.filter((each) => each !== current);
  if (current === undefined) {
    const { apiVersion, kind } = identity;
    return { create: { apiVersion, kind, metadata: { name }, spec }, remove };
  }
  return current.spec.trustBundle === authority ? { remove } : { update: { ...current, spec }, remove };
}

const identity = { apiVersion: 'certificates.k8s.io/v1beta1', kind: 'ClusterTrustBundle' } as const;

function bundleName(authority: string): string {
  const hash = createHash('sha256').update(authority).digest().subarray(0, HASH_BYTES).toString('hex');
  return `${SIGNER.replace('/', ':')}:${hash}`;
}
