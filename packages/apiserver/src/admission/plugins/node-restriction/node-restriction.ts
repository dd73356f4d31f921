import { formatGroupResource } from '@binnacle/apimachinery/meta';
import { nodeNameOf } from '../../../authentication/index.js';
import type { AdmissionAttributes, AdmissionPlugin } from '../../plugin.js';
import { refusal } from '../../refuse.js';
import type { NodeSource } from '../pod-topology-labels.js';
import { judgeClaimStatus, judgeNode } from './node-objects.js';
import { judgePod } from './node-pods.js';
import { judgeCertificateRequest, judgeResourceSlice } from './node-requests.js';
import { type AudienceAuthorizer, judgeTokenRequest, type NodePodSource } from './token-requests.js';
import type { Verdict } from './verdict.js';

const LEASE_NAMESPACE = 'kube-node-lease';

type Judge = (attributes: AdmissionAttributes, nodeName: string) => Verdict | Promise<Verdict>;

/** Restricts a node to writes about itself and its own pods. Upstream: `plugin/pkg/admission/noderestriction`. */
export function nodeRestriction(source: NodeSource & NodePodSource, authorizer: AudienceAuthorizer): AdmissionPlugin {
  const judges: ReadonlyMap<string, Judge> = new Map<string, Judge>([
    ['pods', (attributes, nodeName) => judgePod(attributes, nodeName, source)],
    ['nodes', judgeNode],
    ['persistentvolumeclaims', judgeClaim],
    ['serviceaccounts', (attributes, nodeName) => judgeTokenRequest(attributes, nodeName, source, authorizer)],
    ['leases.coordination.k8s.io', judgeLease],
    ['csinodes.storage.k8s.io', judgeCsiNode],
    ['resourceslices.resource.k8s.io', judgeResourceSlice],
    ['certificatesigningrequests.certificates.k8s.io', judgeCertificateRequest],
  ]);
  return {
    name: 'NodeRestriction',
    resources: [...judges.keys()],
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
        : await judges.get(formatGroupResource(attributes.resource))?.(attributes, nodeName);
    if (problem !== undefined) throw refusal(attributes, problem);
  }
}

function judgeClaim(attributes: AdmissionAttributes, nodeName: string): Verdict {
  return attributes.subresource === 'status' ? judgeClaimStatus(attributes, nodeName) : 'may only update PVC status';
}

function judgeLease({ namespace, name }: AdmissionAttributes, nodeName: string): Verdict {
  if (namespace !== LEASE_NAMESPACE) {
    return `can only access leases in the "${LEASE_NAMESPACE}" system namespace`;
  }
  return name === nodeName ? undefined : 'can only access node lease with the same name as the requesting node';
}

function judgeCsiNode({ name }: AdmissionAttributes, nodeName: string): Verdict {
  return name === nodeName ? undefined : 'can only access CSINode with the same name as the requesting node';
}
