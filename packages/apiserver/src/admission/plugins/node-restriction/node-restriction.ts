import { formatGroupResource } from '@binnacle/apimachinery/meta';
import { nodeNameOf } from '../../../authentication/index.js';
import type { AdmissionAttributes, AdmissionPlugin } from '../../plugin.js';
import { refusal } from '../../refuse.js';
import type { NodeSource } from '../pod-topology-labels.js';
import { checkClaimStatus, checkNode } from './node-objects.js';
import { checkPod } from './node-pods.js';
import { checkCertificateRequest, checkResourceSlice } from './node-requests.js';
import { type AudienceAuthorizer, checkTokenRequest, type NodePodSource } from './token-requests.js';
import type { Verdict } from './verdict.js';

const LEASE_NAMESPACE = 'kube-node-lease';

type Check = (attributes: AdmissionAttributes, nodeName: string) => Verdict | Promise<Verdict>;

/** Restricts a node to writes about itself and its own pods. Upstream: `plugin/pkg/admission/noderestriction`. */
export function nodeRestriction(source: NodeSource & NodePodSource, authorizer: AudienceAuthorizer): AdmissionPlugin {
  const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
    ['pods', (attributes, nodeName) => checkPod(attributes, nodeName, source)],
    ['nodes', checkNode],
    ['persistentvolumeclaims', checkClaim],
    ['serviceaccounts', (attributes, nodeName) => checkTokenRequest(attributes, nodeName, source, authorizer)],
    ['leases.coordination.k8s.io', checkLease],
    ['csinodes.storage.k8s.io', checkCsiNode],
    ['resourceslices.resource.k8s.io', checkResourceSlice],
    ['certificatesigningrequests.certificates.k8s.io', checkCertificateRequest],
    // Behind a feature gate of upstream that is off by default.
    ['podcertificaterequests.certificates.k8s.io', () => 'PodCertificateRequest feature gate is disabled'],
  ]);
  return {
    name: 'NodeRestriction',
    resources: [...checks.keys()],
    handles: (operation) => operation !== 'CONNECT',
    admit(attributes) {
      const nodeName = nodeNameOf(attributes.user);
      return nodeName === undefined ? undefined : check(attributes, nodeName);
    },
  };

  async function check(attributes: AdmissionAttributes, nodeName: string): Promise<void> {
    const problem =
      nodeName === ''
        ? `could not determine node from user ${JSON.stringify(attributes.user.name)}`
        : await checks.get(formatGroupResource(attributes.resource))?.(attributes, nodeName);
    if (problem !== undefined) throw refusal(attributes, problem);
  }
}

function checkClaim(attributes: AdmissionAttributes, nodeName: string): Verdict {
  return attributes.subresource === 'status' ? checkClaimStatus(attributes, nodeName) : 'may only update PVC status';
}

function checkLease({ namespace, name }: AdmissionAttributes, nodeName: string): Verdict {
  if (namespace !== LEASE_NAMESPACE) {
    return `can only access leases in the "${LEASE_NAMESPACE}" system namespace`;
  }
  return name === nodeName ? undefined : 'can only access node lease with the same name as the requesting node';
}

function checkCsiNode({ name }: AdmissionAttributes, nodeName: string): Verdict {
  return name === nodeName ? undefined : 'can only access CSINode with the same name as the requesting node';
}
