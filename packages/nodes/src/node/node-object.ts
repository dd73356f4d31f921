import { createHash } from 'node:crypto';
import { formatMicroTime, formatTime } from '@binnacle/apimachinery/time';
import type { Lease } from '@binnacle/client/kinds/coordination/v1';
import type { Node, NodeStatus } from '@binnacle/client/kinds/core/v1';
import { nodeAddress } from './addresses.js';

/** A simulated node. Its number decides on its addresses. */
export interface SimulatedNode {
  readonly name: string;
  readonly index: number;
  /** Where its kubelet answers; undefined: nowhere. */
  readonly kubelet?: KubeletEndpoint | undefined;
}

/** An address of the machine on which the nodes run. */
export interface KubeletEndpoint {
  readonly address: string;
  readonly port: number;
  /** The only address of the node. Default: it also has an address that no client can reach. */
  readonly isOnlyAddress?: boolean | undefined;
}

/** The address of a node, and of its pods on the host network. */
export function hostAddress({ index, kubelet }: SimulatedNode): string {
  return kubelet?.isOnlyAddress === true ? kubelet.address : nodeAddress(index);
}

type Conditions = NonNullable<NodeStatus['conditions']>;

export const LEASE_NAMESPACE = 'kube-node-lease';
const LEASE_SECONDS = 40;

/** As a hollow kubelet's, with room for ephemeral storage. */
const CAPACITY = { cpu: '1', 'ephemeral-storage': '100Gi', memory: '3840Mi', pods: '110' };

/** In upstream's order: type, status, reason and message. */
const HEALTHY: readonly (readonly [string, string, string, string])[] = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
];

/** The node as its kubelet registers it. `now`: milliseconds since the epoch. */
export function nodeObject(node: SimulatedNode, now: number): Node {
  const { name } = node;
  const labels = {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'binnacle.dev/simulated': 'true',
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: { providerID: `binnacle://${name}` },
    status: nodeStatus(node, now),
  };
}

/** The status that a kubelet reports for its node. Unchanged conditions keep their transition times. */
export function nodeStatus(node: SimulatedNode, now: number, before: Conditions = []): NodeStatus {
  const { name, kubelet } = node;
  const id = createHash('sha256').update(name).digest('hex');
  return {
    capacity: CAPACITY,
    allocatable: CAPACITY,
    conditions: nodeConditions(now, before),
    addresses: [
      { type: 'InternalIP', address: hostAddress(node) },
      // API servers connect to this address unless they are told to prefer another type.
      { type: 'Hostname', address: kubelet?.address ?? name },
    ],
    ...(kubelet === undefined ? {} : { daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } } }),
    nodeInfo: {
      machineID: id.slice(0, 32),
      systemUUID: id.slice(0, 32),
      bootID: id.slice(32),
      kernelVersion: '6.12.0-simulated',
      osImage: 'Simulated',
      containerRuntimeVersion: 'containerd://2.2.0-simulated',
      kubeletVersion: 'v1.36.2',
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
    declaredFeatures: ['InPlacePodLevelResourcesVerticalScaling', 'InPlacePodVerticalScalingInitContainers'],
  };
}

function nodeConditions(now: number, before: Conditions): Conditions {
  const time = formatTime(now);
  return HEALTHY.map(([type, status, reason, message]) => {
    const known = before.find((condition) => condition.type === type);
    const { lastTransitionTime = time } = known?.status === status ? known : {};
    return { type, status, lastHeartbeatTime: time, lastTransitionTime, reason, message };
  });
}

/** Whether another client has changed what the kubelet says, such as a node controller that has missed heartbeats. */
export function hasOtherConditions({ status }: Node): boolean {
  return HEALTHY.some(([type, wanted, reason]) => {
    const condition = status?.conditions?.find((each) => each.type === type);
    return condition?.status !== wanted || condition.reason !== reason;
  });
}

/** The lease that says that the kubelet is alive. `before`: the lease to renew. */
export function leaseOf({ metadata: { name = '', uid = '' } }: Node, now: number, before?: Lease): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: before?.metadata ?? {
      name,
      namespace: LEASE_NAMESPACE,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
    },
    spec: {
      ...before?.spec,
      holderIdentity: name,
      leaseDurationSeconds: LEASE_SECONDS,
      renewTime: formatMicroTime(now),
    },
  };
}
