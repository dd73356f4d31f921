import type { Steps } from '@binnacle/apimachinery/work';
import { isControlledBy } from '@binnacle/client/controller';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { AllocationResult, ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import type { NodeState, PodFacts } from '../../framework/index.js';
import type { DeviceManager } from './device-manager.js';
import { type ExtendedRequests, extendedRequests, mayHaveDevices } from './extended-requests.js';

/** On claims that the scheduler makes for the extended resources of a pod. Upstream: `ExtendedResourceClaimAnnotation`. */
const ANNOTATION = 'resource.kubernetes.io/extended-resource-claim';

/** A claim for extended resources, as one node needs it. */
export interface NodeClaim extends Pick<ExtendedRequests, 'mappings'> {
  /** It is only in memory, and has no name. */
  readonly claim: ResourceClaim;
}

/** The extended resources of a pod that have a DeviceClass. Upstream: `extendeddynamicresources.go`. */
export interface ExtendedClaim {
  /** The names of the DeviceClasses, by the resources of the pod. */
  readonly classes: ReadonlyMap<string, string>;
  /** The claim of an earlier attempt, which must be deleted before the next one is created. */
  readonly stale: ResourceClaim | undefined;
  /** Of the claim in memory. */
  readonly uid: string;
  /** By the resources that a node lacks. Most nodes lack the same. */
  readonly byNeed: Map<string, NodeClaim>;
  readonly byNode: Map<string, NodeClaim>;
  /** What Reserve has decided. */
  reserved?: NodeClaim & { readonly allocation: AllocationResult };
  /** As the server has it. */
  created?: ResourceClaim;
}

/** Undefined: no resource of the pod has a DeviceClass. */
export function extendedClaimOf(pod: PodFacts, devices: DeviceManager, uid: () => string): ExtendedClaim | undefined {
  const classes = new Map<string, string>();
  for (const [resource, amount] of pod.requests) {
    if (amount === 0 || !mayHaveDevices(resource)) continue;
    const found = devices.classForResource(resource)?.metadata.name;
    if (found !== undefined) classes.set(resource, found);
  }
  if (classes.size === 0) return undefined;
  return { classes, stale: leftClaim(pod.pod, devices), uid: uid(), byNeed: new Map(), byNode: new Map() };
}

/** Upstream: `findExtendedResourceClaim`. */
function leftClaim(pod: Pod, devices: DeviceManager): ResourceClaim | undefined {
  return devices
    .claimsIn(pod.metadata.namespace ?? '')
    .find((claim) => claim.metadata.annotations?.[ANNOTATION] === 'true' && isControlledBy(claim, pod));
}

/** The claim that a node needs, none if it has all resources itself, or why it cannot have the pod. Upstream: `filterExtendedResources`. */
export function* claimForNode(
  { classes, stale, uid, byNeed }: ExtendedClaim,
  pod: PodFacts,
  { allocatable }: Pick<NodeState, 'allocatable'>,
): Steps<NodeClaim | string | undefined> {
  if (stale !== undefined) return 'cannot schedule extended resource claim';
  const needed = new Map<string, string>();
  for (const [resource, amount] of pod.requests) {
    if (amount === 0 || !mayHaveDevices(resource)) continue;
    const className = classes.get(resource);
    if (className !== undefined && (allocatable.get(resource) ?? 0) === 0) needed.set(resource, className);
    else if (!allocatable.has(resource)) return 'cannot fit resource';
  }
  if (needed.size === 0) return undefined;
  const need = [...needed.keys()].join(' ');
  const known = byNeed.get(need);
  if (known !== undefined) return known;
  const { requests, mappings } = yield* extendedRequests(pod.pod, needed);
  const made = { claim: claimInMemory(pod, uid, requests), mappings };
  byNeed.set(need, made);
  return made;
}

function claimInMemory(
  { pod, namespace, name }: PodFacts,
  uid: string,
  requests: ExtendedRequests['requests'],
): ResourceClaim {
  const owner = { apiVersion: 'v1', kind: 'Pod', name, uid: pod.metadata.uid ?? '', controller: true };
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: {
      generateName: `${name}-extended-resources-`,
      namespace,
      uid,
      annotations: { [ANNOTATION]: 'true' },
      ownerReferences: [owner],
    },
    spec: { devices: { requests: [...requests] } },
  };
}
