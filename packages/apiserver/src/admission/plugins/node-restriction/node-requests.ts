import { asKind } from '@binnacle/apimachinery/meta';
import type { CertificateSigningRequest } from '@binnacle/api/types/certificates-v1';
import { readCertificateRequest } from '@binnacle/apimachinery/certificaterequests';
import type { ResourceSlice } from '@binnacle/api/types/resource-v1';
import type { AdmissionAttributes } from '../../plugin.js';
import type { Verdict } from './verdict.js';

/** Signers of certificates that identify a node. */
const NODE_SIGNERS: readonly (string | undefined)[] = [
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
];

/** The authorizer has checked every request whose path names the slice. */
export function checkResourceSlice({ operation, object, oldObject }: AdmissionAttributes, nodeName: string): Verdict {
  if (operation !== 'CREATE' && operation !== 'DELETE') return undefined;
  const slice = asKind<ResourceSlice>(operation === 'CREATE' ? object : oldObject);
  return slice?.spec?.nodeName === nodeName
    ? undefined
    : `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`;
}

export function checkCertificateRequest({ operation, object }: AdmissionAttributes, nodeName: string): Verdict {
  if (operation !== 'CREATE') return undefined;
  const { signerName, request } = asKind<CertificateSigningRequest>(object)?.spec ?? {};
  if (!NODE_SIGNERS.includes(signerName)) return undefined;
  const name = `system:node:${nodeName}`;
  const requested = readCertificateRequest(request ?? '');
  if (typeof requested === 'string') return `unable to parse csr: ${requested}`;
  return requested.commonName === name ? undefined : `can only create a node CSR with CN=${name}`;
}
