import { isMirrorPod, MIRROR_ANNOTATION, firstObjectReference } from '@binnacle/api/pods';
import type { Pod } from '@binnacle/api/types/core-v1';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { AdmissionAttributes } from '../../plugin.js';
import type { NodeSource } from '../pod-topology-labels.js';
import type { NodePodSource } from './token-requests.js';
import { missing, type Verdict } from './verdict.js';

/** A node may create mirror pods for its static pods, update the status of its own pods, and delete them. */
export async function checkPod(
  attributes: AdmissionAttributes,
  nodeName: string,
  source: NodeSource & Pick<NodePodSource, 'pod'>,
): Promise<Verdict> {
  const { operation, subresource, object, oldObject } = attributes;
  const old = asKind<Pod>(oldObject);
  const isOwn = old?.spec?.nodeName === nodeName;
  if (subresource === 'eviction') return checkEviction(attributes, nodeName, source);
  if (subresource === 'status') {
    return isOwn
      ? checkStatus(asKind<Pod>(object) ?? {}, old, nodeName)
      : `node "${nodeName}" can only update pod status for pods with spec.nodeName set to itself`;
  }
  if (subresource !== '') {
    return `unexpected pod subresource ${JSON.stringify(subresource)}, only 'status' and 'eviction' are allowed`;
  }
  if (operation === 'DELETE') {
    return isOwn ? undefined : `node "${nodeName}" can only delete pods with spec.nodeName set to itself`;
  }
  if (operation !== 'CREATE' || object === undefined) {
    return `unexpected operation "${operation}", node "${nodeName}" can only create and delete mirror pods`;
  }
  return checkMirrorPod(object, nodeName, source);
}

/** The object of an eviction is not the pod, so it needs its own check. */
async function checkEviction(
  { operation, namespace, name, object }: AdmissionAttributes,
  nodeName: string,
  source: Pick<NodePodSource, 'pod'>,
): Promise<Verdict> {
  if (operation !== 'CREATE') return `unexpected operation ${operation}`;
  const podName = name || (object?.metadata.name ?? '');
  if (podName === '') return 'could not determine pod from request data';
  const pod = await source.pod(namespace, podName);
  if (pod === undefined) throw missing('pod', podName);
  return pod.spec?.nodeName === nodeName
    ? undefined
    : `node ${nodeName} can only evict pods with spec.nodeName set to itself`;
}

/** A node may not set the resource claims of its pods: they would give it access to the claims. */
function checkStatus(pod: Readonly<Pod>, old: Readonly<Pod>, nodeName: string): Verdict {
  if (!semanticEqual(pod.metadata?.labels ?? {}, old.metadata?.labels ?? {})) {
    return `node "${nodeName}" cannot update labels through pod status`;
  }
  if (!semanticEqual(pod.status?.resourceClaimStatuses ?? [], old.status?.resourceClaimStatuses ?? [])) {
    return `node "${nodeName}" cannot update resource claim statues`;
  }
  return semanticEqual(pod.status?.extendedResourceClaimStatus, old.status?.extendedResourceClaimStatus)
    ? undefined
    : `node "${nodeName}" cannot update extended resource claim status`;
}

async function checkMirrorPod(pod: KubernetesObject, nodeName: string, source: NodeSource): Promise<Verdict> {
  const { ownerReferences = [] } = pod.metadata;
  const { spec = {} } = asKind<{ spec?: Partial<NonNullable<Pod['spec']>> }>(pod);
  if (!isMirrorPod(pod)) {
    return `pod does not have "${MIRROR_ANNOTATION}" annotation, node "${nodeName}" can only create mirror pods`;
  }
  if (spec.nodeName !== nodeName) return `node "${nodeName}" can only create pods with spec.nodeName set to itself`;
  const [owner, ...others] = ownerReferences;
  if (others.length > 0) {
    return `node "${nodeName}" can only create pods with a single owner reference set to itself`;
  }
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== nodeName) {
    return `node "${nodeName}" can only create pods with an owner reference set to itself`;
  }
  if (owner.controller !== true) {
    return `node "${nodeName}" can only create pods with a controller owner reference set to itself`;
  }
  if (owner.blockOwnerDeletion === true) {
    return `node "${nodeName}" must not set blockOwnerDeletion on an owner reference`;
  }
  const node = await source.node(nodeName);
  if (node === undefined) throw missing('node', nodeName);
  const uid = node.metadata.uid ?? '';
  if (owner.uid !== uid) return `node ${nodeName} UID mismatch: expected ${owner.uid} got ${uid}`;
  const needed = firstObjectReference(spec);
  return needed === undefined ? undefined : `node "${nodeName}" can not create pods that reference ${needed}`;
}
