import type { TokenRequest } from '@binnacle/api/types/authentication-v1';
import type { CertificateSigningRequest } from '@binnacle/api/types/certificates-v1';
import type { Pod } from '@binnacle/api/types/core-v1';
import type { ResourceSlice } from '@binnacle/api/types/resource-v1';
import { notFound } from '@binnacle/apimachinery/status';
import type { AdmissionAttributes } from '../plugin.js';
import { commonNameOf } from './certificate-subject.js';

/** Signers of certificates that say which node somebody is. */
const NODE_SIGNERS: readonly (string | undefined)[] = [
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
];

/** What is wrong with a request of a node's, in upstream's words. */
type Verdict = string | undefined;

export interface NodePodSource {
  pod(namespace: string, name: string): Promise<Readonly<Pod> | undefined>;
}

/** A node asks for tokens of its own pods alone. For whom they are is not looked at. */
export async function judgeTokenRequest(
  { operation, subresource, namespace, object }: AdmissionAttributes,
  nodeName: string,
  source: NodePodSource,
): Promise<Verdict> {
  if (operation !== 'CREATE' || subresource !== 'token') return undefined;
  const { boundObjectRef } = (object as unknown as TokenRequest).spec ?? {};
  const { apiVersion, kind, name = '', uid = '' } = boundObjectRef ?? {};
  if (apiVersion !== 'v1' || kind !== 'Pod' || name === '') return 'node requested token not bound to a pod';
  if (uid === '') return 'node requested token with a pod binding without a uid';
  const pod = await source.pod(namespace, name);
  if (pod === undefined) throw notFound({ group: '', resource: 'pods' }, name);
  if (uid !== pod.metadata?.uid) {
    return `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  }
  return pod.spec?.nodeName === nodeName
    ? undefined
    : 'node requested token bound to a pod scheduled on a different node';
}

/** The authorizer has judged all requests whose path tells which slice it is. */
export function judgeResourceSlice({ operation, object, oldObject }: AdmissionAttributes, nodeName: string): Verdict {
  if (operation !== 'CREATE' && operation !== 'DELETE') return undefined;
  const slice = (operation === 'CREATE' ? object : oldObject) as unknown as ResourceSlice | undefined;
  return slice?.spec?.nodeName === nodeName
    ? undefined
    : `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`;
}

export function judgeCertificateRequest({ operation, object }: AdmissionAttributes, nodeName: string): Verdict {
  if (operation !== 'CREATE') return undefined;
  const { signerName, request } = (object as unknown as CertificateSigningRequest).spec ?? {};
  if (!NODE_SIGNERS.includes(signerName)) return undefined;
  const name = `system:node:${nodeName}`;
  return commonNameOf(request ?? '') === name ? undefined : `can only create a node CSR with CN=${name}`;
}
