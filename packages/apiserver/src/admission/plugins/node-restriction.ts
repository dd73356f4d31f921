import { configMapNames, secretNames } from '@binnacle/api/pods';
import type { Node, PersistentVolumeClaim, Pod, PodSpec } from '@binnacle/api/types/core-v1';
import { formatGroupResource, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import { nodeNameOf } from '../../authentication/index.js';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';
import { forbiddenNodeLabels } from './node-labels.js';
import { judgeCertificateRequest, judgeResourceSlice, judgeTokenRequest, type NodePodSource } from './node-requests.js';
import type { NodeSource } from './pod-topology-labels.js';

const MIRROR_POD = 'kubernetes.io/config.mirror';
const LEASE_NAMESPACE = 'kube-node-lease';

/** What is wrong with a request of a node's, in upstream's words. */
type Verdict = string | undefined;

/** A node writes about itself and its own pods alone. Upstream: `plugin/pkg/admission/noderestriction`. */
export function nodeRestriction(source: NodeSource & NodePodSource): AdmissionPlugin {
  return {
    name: 'NodeRestriction',
    resources: [
      'pods',
      'nodes',
      'persistentvolumeclaims',
      'serviceaccounts',
      'leases.coordination.k8s.io',
      'csinodes.storage.k8s.io',
      'resourceslices.resource.k8s.io',
      'certificatesigningrequests.certificates.k8s.io',
    ],
    handles: (operation) => operation !== 'CONNECT',
    admit(attributes) {
      const nodeName = nodeNameOf(attributes.user);
      return nodeName === undefined ? undefined : judge(attributes, nodeName);
    },
  };

  async function judge(attributes: AdmissionAttributes, nodeName: string): Promise<void> {
    const problem =
      nodeName === ''
        ? `could not determine node from user ${JSON.stringify(attributes.user.name)}`
        : await verdictOn(attributes, nodeName);
    if (problem !== undefined) throw refusal(attributes, problem);
  }

  async function verdictOn(attributes: AdmissionAttributes, nodeName: string): Promise<Verdict> {
    switch (formatGroupResource(attributes.resource)) {
      case 'pods':
        return judgePod(attributes, nodeName);
      case 'nodes':
        return judgeNode(attributes, nodeName);
      case 'persistentvolumeclaims':
        return attributes.subresource === 'status'
          ? judgeClaimStatus(attributes, nodeName)
          : 'may only update PVC status';
      case 'leases.coordination.k8s.io':
        if (attributes.namespace !== LEASE_NAMESPACE) {
          return `can only access leases in the "${LEASE_NAMESPACE}" system namespace`;
        }
        return requestedName(attributes) === nodeName
          ? undefined
          : 'can only access node lease with the same name as the requesting node';
      case 'csinodes.storage.k8s.io':
        return requestedName(attributes) === nodeName
          ? undefined
          : 'can only access CSINode with the same name as the requesting node';
      case 'serviceaccounts':
        return judgeTokenRequest(attributes, nodeName, source);
      case 'resourceslices.resource.k8s.io':
        return judgeResourceSlice(attributes, nodeName);
      case 'certificatesigningrequests.certificates.k8s.io':
        return judgeCertificateRequest(attributes, nodeName);
      default:
        return undefined;
    }
  }

  async function judgePod(attributes: AdmissionAttributes, nodeName: string): Promise<Verdict> {
    const { operation, subresource, object, oldObject } = attributes;
    const old = oldObject as unknown as Pod | undefined;
    const isOwn = old?.spec?.nodeName === nodeName;
    if (subresource === 'eviction') {
      return isOwn ? undefined : `node ${nodeName} can only evict pods with spec.nodeName set to itself`;
    }
    if (subresource === 'status') {
      if (!isOwn) {
        return `node "${nodeName}" can only update pod status for pods with spec.nodeName set to itself`;
      }
      return semanticEqual(object?.metadata.labels ?? {}, old.metadata?.labels ?? {})
        ? undefined
        : `node "${nodeName}" cannot update labels through pod status`;
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
    return judgeMirrorPod(object, nodeName);
  }

  async function judgeMirrorPod(object: KubernetesObject, nodeName: string): Promise<Verdict> {
    const spec: Partial<PodSpec> = (object as unknown as Pod).spec ?? {};
    if (object.metadata.annotations?.[MIRROR_POD] === undefined) {
      return `pod does not have "${MIRROR_POD}" annotation, node "${nodeName}" can only create mirror pods`;
    }
    if (spec.nodeName !== nodeName) return `node "${nodeName}" can only create pods with spec.nodeName set to itself`;
    const [owner, ...others] = object.metadata.ownerReferences ?? [];
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
    const uid = (await source.node(nodeName))?.metadata.uid;
    if (owner.uid !== uid) return `node ${nodeName} UID mismatch: expected ${owner.uid} got ${uid ?? ''}`;
    const referenced = firstReference(spec);
    return referenced === undefined ? undefined : `node "${nodeName}" can not create pods that reference ${referenced}`;
  }
}

function requestedName({ operation, name, object }: AdmissionAttributes): string {
  return operation === 'CREATE' ? (object?.metadata.name ?? '') : name;
}

/** A pod that a node makes up may not open other objects to it. */
function firstReference(spec: Partial<PodSpec>): string | undefined {
  if ((spec.serviceAccountName ?? '') !== '') return 'a service account';
  if (secretNames(spec).length > 0) return 'secrets';
  if (configMapNames(spec).length > 0) return 'configmaps';
  const claims = (spec.volumes ?? []).some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined);
  return claims ? 'persistentvolumeclaims' : undefined;
}

function judgeNode(attributes: AdmissionAttributes, nodeName: string): Verdict {
  const { operation, object, oldObject } = attributes;
  const requested = requestedName(attributes);
  if (requested !== nodeName) return `node "${nodeName}" is not allowed to modify node "${requested}"`;
  if (object === undefined || operation === 'DELETE') return undefined;
  if (operation === 'CREATE') {
    const labels = forbiddenNodeLabels(object.metadata.labels, undefined);
    return labels.length === 0
      ? undefined
      : `node "${nodeName}" is not allowed to set the following labels: ${labels.join(', ')}`;
  }
  const taints = (node: unknown) => (node as Node | undefined)?.spec?.taints ?? [];
  if (!semanticEqual(taints(object), taints(oldObject))) return `node "${nodeName}" is not allowed to modify taints`;
  const labels = forbiddenNodeLabels(object.metadata.labels, oldObject?.metadata.labels);
  return labels.length === 0 ? undefined : `is not allowed to modify labels: ${labels.join(', ')}`;
}

function judgeClaimStatus({ object, oldObject }: AdmissionAttributes, nodeName: string): Verdict {
  const bare = (claim: unknown) => {
    const { metadata, status, ...rest } = (claim ?? {}) as PersistentVolumeClaim;
    const { resourceVersion: _, managedFields: __, ...kept } = metadata ?? {};
    const { capacity: ___, conditions: ____, allocatedResources: _____, ...more } = status ?? {};
    const { allocatedResourceStatuses: ______, ...restOfStatus } = more;
    return { ...rest, metadata: kept, status: restOfStatus };
  };
  return semanticEqual(bare(object), bare(oldObject))
    ? undefined
    : `node "${nodeName}" is not allowed to update fields other than status.capacity and status.conditions`;
}
