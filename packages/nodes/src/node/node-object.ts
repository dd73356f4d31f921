import { createHash } from 'node:crypto';
import { release } from 'node:os';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { formatMicroTime, formatTime } from '@binnacle/apimachinery/time';
import type { Lease } from '@binnacle/client/kinds/coordination/v1';
import type { Node, NodeStatus } from '@binnacle/client/kinds/core/v1';
import { nodeAddress, podRange } from './addresses.js';
import { processRange } from './limits/index.js';

/** A node of this process. Its number decides on its addresses. */
export interface LocalNode {
  readonly name: string;
  readonly index: number;
  /** Where its kubelet answers; undefined: nowhere. */
  readonly kubelet?: KubeletEndpoint | undefined;
  /** Its containers are processes of this machine. Default: it is simulated. */
  readonly processes?: ProcessNode | undefined;
}

/** The facts of a process node. */
export interface ProcessNode {
  /** The images for which a command is configured. */
  readonly images: readonly string[];
  /** Whether only pods that tolerate it are scheduled to the node: there are simulated nodes, too. */
  readonly isTainted: boolean;
}

/** An address of the machine on which the nodes run. */
export interface KubeletEndpoint {
  readonly address: string;
  readonly port: number;
  /** The only address of the node. Default: it also has an address that no client can reach. */
  readonly isOnlyAddress?: boolean | undefined;
}

/** The address of a node, and of its pods on the host network. */
export function hostAddress({ index, kubelet, processes }: LocalNode): string {
  if (processes !== undefined) return processRange(index).replace(/0\/24$/, '1');
  return kubelet?.isOnlyAddress === true ? kubelet.address : nodeAddress(index);
}

/** The addresses of the pods of a node. `given`: its `spec.podCIDR`; a process node does not use it. */
export function podRangeOf({ index, processes }: LocalNode, given: string | undefined): string {
  return processes === undefined ? (given ?? podRange(index)) : processRange(index);
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
export function nodeObject(node: LocalNode, now: number): Node {
  const { name, processes } = node;
  const { architecture } = machineOf(node);
  const labels = {
    'beta.kubernetes.io/arch': architecture,
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': architecture,
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    [processes === undefined ? 'binnacle.dev/simulated' : PROCESSES]: 'true',
  };
  const taints =
    processes?.isTainted === true ? [{ key: PROCESSES, value: 'true', effect: 'NoSchedule' as const }] : [];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: { providerID: `binnacle://${name}`, ...(taints.length === 0 ? {} : { taints }) },
    status: nodeStatus(node, now),
  };
}

/**
 * The status that a kubelet reports for its node. Unchanged conditions keep their transition times. Resources that others have added to the
 * capacity become allocatable. Upstream: `MachineInfo`.
 */
export function nodeStatus(node: LocalNode, now: number, before: NodeStatus = {}): NodeStatus {
  const { name, kubelet } = node;
  const capacity = { ...before.capacity, ...CAPACITY };
  const id = createHash('sha256').update(name).digest('hex');
  return {
    capacity,
    allocatable: capacity,
    conditions: nodeConditions(now, before.conditions ?? []),
    addresses: [
      { type: 'InternalIP', address: hostAddress(node) },
      // API servers connect to this address unless they are told to prefer another type.
      { type: 'Hostname', address: kubelet?.address ?? name },
    ],
    ...(kubelet === undefined ? {} : { daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } } }),
    ...(node.processes === undefined ? {} : { images: node.processes.images.map((image) => ({ names: [image] })) }),
    nodeInfo: {
      machineID: id.slice(0, 32),
      systemUUID: id.slice(0, 32),
      bootID: id.slice(32),
      ...machineOf(node),
      kubeletVersion: 'v1.36.2',
      kubeProxyVersion: '',
      operatingSystem: 'linux',
    },
    declaredFeatures: ['InPlacePodLevelResourcesVerticalScaling', 'InPlacePodVerticalScalingInitContainers'],
  };
}

/** The label and the taint of nodes whose containers are processes. */
const PROCESSES = 'binnacle.dev/processes';

function machineOf({ processes }: LocalNode) {
  if (processes !== undefined) {
    return {
      kernelVersion: release(),
      osImage: 'Processes of this machine',
      containerRuntimeVersion: 'processes://1.0.0',
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    };
  }
  return {
    kernelVersion: '6.12.0-simulated',
    osImage: 'Simulated',
    containerRuntimeVersion: 'containerd://2.2.0-simulated',
    architecture: 'amd64',
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

/** Whether another client has changed the status: a node controller that has missed heartbeats, or a user who adds a resource. */
export function hasOtherStatus({ status = {} }: Node): boolean {
  const isOther = HEALTHY.some(([type, wanted, reason]) => {
    const condition = status.conditions?.find((each) => each.type === type);
    return condition?.status !== wanted || condition.reason !== reason;
  });
  return isOther || hasOtherResources(status);
}

/** Whether a user has added a resource to the capacity, or removed one, so that it differs from the allocatable resources. */
function hasOtherResources({ capacity = {}, allocatable = {} }: NodeStatus): boolean {
  return Object.keys({ ...capacity, ...allocatable }).some((name) => capacity[name] !== allocatable[name]);
}

/** The body of a strategic merge patch that writes this status. `before`: the status that the node has. */
export function statusPatch(status: NodeStatus, before: NodeStatus = {}): JsonObject {
  const gone = Object.keys(before.allocatable ?? {}).filter((name) => status.allocatable?.[name] === undefined);
  const removed = Object.fromEntries(gone.map((name) => [name, null]));
  return { status: { ...asJson(status), allocatable: { ...status.allocatable, ...removed } } };
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
