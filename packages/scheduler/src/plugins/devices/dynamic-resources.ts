import { pick } from '@binnacle/apimachinery/clock';
import type { Steps } from '@binnacle/apimachinery/work';
import { matchesNodeTerm } from '@binnacle/api/pods';
import type { AllocationResult, ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import {
  Allocator,
  alternativesOf,
  hasBindingConditions,
  LONGEST_PREPARATION,
  readinessOf,
} from '../../devices/index.js';
import {
  type Attempt,
  failure,
  type NodeState,
  type Plugin,
  type PodFacts,
  type PostFilterResult,
  type PreFilterResult,
  skip,
  StateKey,
  type Status,
  success,
  unresolvable,
  unschedulable,
} from '../../framework/index.js';
import { claimInterests } from './claim-interests.js';
import type { DeviceManager } from './device-manager.js';
import { claimForNode, type ExtendedClaim, extendedClaimOf } from './extended-claim.js';
import { stretch } from '../normalize.js';
import { resourceClaimsOf } from './resource-claims.js';

/** The most alternatives of a request, and so the score of its first one. Upstream: `FirstAvailableDeviceRequestMaxSize`. */
const MAX_ALTERNATIVES = 8;

interface PodClaims {
  /** The claims of the pod. PreBind replaces those that it writes. */
  readonly claims: ResourceClaim[];
  /** Those of them that have no devices. */
  readonly open: readonly ResourceClaim[];
  readonly allocator: Allocator | undefined;
  /** By the name of the node, in the order of `open`. */
  readonly allocations: Map<string, readonly AllocationResult[]>;
  /** Allocated claims that a node does not reach, or whose devices cannot be used. */
  readonly unavailable: Set<ResourceClaim>;
  /** What Reserve has decided, by the uid of the claim. */
  readonly reserved: Map<string, AllocationResult>;
  /** Undefined: no resource of the pod has a DeviceClass. */
  readonly extended: ExtendedClaim | undefined;
}

const podClaimsKey = new StateKey<PodClaims>();

export interface DynamicResourcesArgs {
  /** How long drivers may prepare devices. Default: ten minutes. */
  readonly bindingTimeoutMs?: number;
}

/** Permits nodes that reach the devices of the pod's resource claims, and allocates devices to claims that have none. */
export function dynamicResources(
  devices: DeviceManager,
  { bindingTimeoutMs = LONGEST_PREPARATION }: DynamicResourcesArgs = {},
): Plugin {
  return {
    name: 'DynamicResources',
    interests: claimInterests(devices.claim),
    preEnqueue: (pod) => {
      const claims = resourceClaimsOf(pod, devices.claim);
      return typeof claims === 'string' ? unresolvable(claims) : success;
    },
    preFilter: (attempt) => preFilter(attempt, devices),
    filter: ({ state, pod }, node) => filter(state.read(podClaimsKey), node, { pod, devices, bindingTimeoutMs }),
    postFilter: (attempt) => postFilter(attempt, devices),
    preScore: ({ state }) => (state.read(podClaimsKey)?.open.length === 0 ? skip : success),
    score: ({ state }, { name }) => scoreOf(state.read(podClaimsKey), name),
    normalizeScore: (_, scores) => stretch(scores),
    reserve: ({ state }, nodeName) => reserve(state.read(podClaimsKey), nodeName, devices),
    unreserve: ({ state, pod }) => {
      const podClaims = state.read(podClaimsKey);
      for (const claim of podClaims?.claims ?? []) {
        if (podClaims?.reserved.has(uidOf(claim)) === true) devices.forget(claim);
        if (claim.status?.allocation !== undefined && isReservedFor(pod, claim)) devices.release(claim, pod);
      }
      const { reserved, created } = podClaims?.extended ?? {};
      if (reserved !== undefined) devices.forget(reserved.claim);
      if (created !== undefined) devices.discard(created);
    },
    preBind: async ({ state, pod }, nodeName, signal) => {
      try {
        await bindClaims(state.read(podClaimsKey), { pod, nodeName, devices, bindingTimeoutMs, signal });
        return success;
      } catch (error) {
        return failure(error);
      }
    },
  };
}

function preFilter({ state, pod, random }: Attempt, devices: DeviceManager): PreFilterResult {
  const none = {
    allocator: undefined,
    allocations: new Map(),
    unavailable: new Set<ResourceClaim>(),
    reserved: new Map(),
    extended: undefined,
  };
  state.write(podClaimsKey, { ...none, claims: [], open: [] });
  const claims = resourceClaimsOf(pod, devices.claim);
  if (typeof claims === 'string') return { status: unresolvable(claims) };
  const extended = extendedClaimOf(pod, devices, () => random.uuid());
  if (claims.length === 0 && extended === undefined) return { status: skip };
  const open = claims.filter(({ status }) => status?.allocation === undefined);
  for (const claim of open) {
    const fault = faultOf(claim, devices);
    if (fault !== undefined) return { status: unresolvable(fault) };
  }
  const allocator =
    open.length === 0 && extended === undefined
      ? undefined
      : new Allocator({
          slices: devices.slices(),
          deviceClass: (name) => devices.deviceClass(name),
          allocated: devices.allocated(),
          shareId: () => random.uuid(),
        });
  state.write(podClaimsKey, { ...none, claims, open, allocator, extended });
  return { status: success };
}

/** Why no node can have devices for the claim now. */
function faultOf(claim: ResourceClaim, devices: DeviceManager): string | undefined {
  const { namespace = '', name = '' } = claim.metadata;
  if (devices.isPending(claim)) return `resource claim ${namespace}/${name} is in the process of being allocated`;
  for (const request of claim.spec.devices?.requests ?? []) {
    const alternatives = alternativesOf(request);
    if (alternatives.length === 0)
      return `resource claim ${namespace}/${name}, request ${request.name}: unknown request type`;
    const missing = alternatives.find(({ className }) => devices.deviceClass(className) === undefined);
    if (missing !== undefined) return `request ${missing.reference}: device class ${missing.className} does not exist`;
  }
  return undefined;
}

interface Filtering {
  readonly pod: PodFacts;
  readonly devices: DeviceManager;
  readonly bindingTimeoutMs: number;
}

function* filter(
  podClaims: PodClaims | undefined,
  state: NodeState,
  { pod, devices, bindingTimeoutMs }: Filtering,
): Steps<Status> {
  if (podClaims === undefined) return success;
  const { claims, open, allocator, allocations, unavailable, extended } = podClaims;
  const { name, node } = state;
  const nodeClaim = extended && (yield* claimForNode(extended, pod, state));
  if (typeof nodeClaim === 'string') return unschedulable(nodeClaim);
  if (claims.length === 0 && nodeClaim === undefined) return success;
  if (nodeClaim !== undefined) extended?.byNode.set(name, nodeClaim);
  try {
    const needed = nodeClaim === undefined ? open : [...open, nodeClaim.claim];
    const found = allocator === undefined ? [] : yield* allocator.allocate(node, needed);
    if (typeof found === 'string') return unresolvable(found);
    if (allocator !== undefined) allocations.set(name, found);
  } catch (error) {
    return failure(error);
  }
  const missed = claims.filter((claim) => !isAvailable(claim, node, devices.now(), bindingTimeoutMs));
  for (const claim of missed) unavailable.add(claim);
  return missed.length === 0 ? success : unresolvable('resourceclaim not available on the node');
}

/** A claim without devices may still get them. */
function isAvailable(claim: ResourceClaim, node: NodeState['node'], now: number, longest: number): boolean {
  const { allocation } = claim.status ?? {};
  if (allocation === undefined) return true;
  const { nodeSelector } = allocation;
  const isReached = nodeSelector?.nodeSelectorTerms.some((term) => matchesNodeTerm(term, node)) ?? true;
  return isReached && typeof readinessOf(claim, now, longest) === 'string';
}

/** Takes the devices of one claim that keeps the pod from all nodes. */
function postFilter({ state, pod, random }: Attempt, devices: DeviceManager): PostFilterResult {
  const podClaims = state.read(podClaimsKey);
  // Upstream's plugin fails with this text if its PreFilter has not run.
  if (podClaims === undefined) return { status: { code: 'Error', reasons: ['not found'] } };
  const stale = podClaims.extended?.stale;
  if (podClaims.claims.length === 0 && podClaims.extended === undefined)
    return { status: unschedulable('no new claims to deallocate') };
  const freeable = [...podClaims.unavailable].filter(({ status }) =>
    (status?.reservedFor ?? []).every(({ uid }) => uid === pod.uid),
  );
  if (freeable.length === 0 && stale !== undefined) {
    devices.discard(stale);
    return { status: unschedulable('deletion of ResourceClaim completed') };
  }
  if (freeable.length === 0) return { status: unschedulable('still not schedulable') };
  const claim = pick(random, freeable);
  if (claim !== undefined) devices.deallocate(claim);
  return { status: unschedulable('deallocation of ResourceClaim completed') };
}

/** Prefers the first alternatives of requests. */
function scoreOf(podClaims: PodClaims | undefined, nodeName: string): number {
  const used = new Set<string>();
  const allocations = podClaims?.allocations.get(nodeName) ?? [];
  let total = 0;
  for (const [index, { devices }] of allocations.entries()) {
    used.clear();
    for (const { request } of devices?.results ?? []) used.add(request);
    for (const { name, firstAvailable = [] } of podClaims?.open[index]?.spec.devices?.requests ?? []) {
      const chosen = firstAvailable.findIndex((each) => used.has(`${name}/${each.name}`));
      if (chosen >= 0) total += MAX_ALTERNATIVES - chosen;
    }
  }
  return total;
}

function reserve(podClaims: PodClaims | undefined, nodeName: string, devices: DeviceManager): Status {
  const nodeClaim = podClaims?.extended?.byNode.get(nodeName);
  if (podClaims === undefined || (podClaims.open.length === 0 && nodeClaim === undefined)) return success;
  const allocations = podClaims.allocations.get(nodeName);
  if (allocations === undefined) return failure('claim allocation not found for node');
  for (const [index, claim] of podClaims.open.entries()) {
    const allocation = allocations[index];
    if (allocation === undefined) return failure('claim allocation not found for node');
    podClaims.reserved.set(uidOf(claim), allocation);
    devices.assume({ ...claim, status: { ...claim.status, allocation } });
  }
  const { extended } = podClaims;
  const allocation = allocations[podClaims.open.length];
  if (extended === undefined || nodeClaim === undefined) return success;
  if (allocation === undefined) return failure('claim allocation not found for node');
  extended.reserved = { ...nodeClaim, allocation };
  devices.assume({ ...nodeClaim.claim, status: { allocation } });
  return success;
}

interface Binding {
  readonly pod: PodFacts;
  readonly nodeName: string;
  readonly devices: DeviceManager;
  readonly bindingTimeoutMs: number;
  readonly signal: AbortSignal;
}

async function bindClaims(
  podClaims: PodClaims | undefined,
  { pod, nodeName, devices, bindingTimeoutMs, signal }: Binding,
): Promise<void> {
  if (podClaims === undefined) return;
  const { claims, reserved } = podClaims;
  for (const [index, claim] of claims.entries()) {
    if (isReservedFor(pod, claim)) continue;
    claims[index] = await devices.reserve(claim, { pod, allocation: reserved.get(uidOf(claim)) }, signal);
  }
  const extendedClaim = podClaims.extended && (await bindExtended(podClaims.extended, { pod, devices, signal }));
  const all = extendedClaim === undefined ? claims : [...claims, extendedClaim];
  if (!all.some(hasBindingConditions)) return;
  await devices.untilReady(all, { pod, nodeName, timeoutMs: bindingTimeoutMs }, signal);
}

/** Creates the claim for extended resources that Reserve has decided on. Upstream: `createExtendedResourceClaimInAPI`. */
async function bindExtended(
  extended: ExtendedClaim,
  { pod, devices, signal }: Pick<Binding, 'pod' | 'devices' | 'signal'>,
): Promise<ResourceClaim | undefined> {
  const { reserved } = extended;
  if (reserved === undefined) return undefined;
  const { claim, mappings, allocation } = reserved;
  const { uid: _, ...metadata } = claim.metadata;
  const created = await devices.create({ ...claim, metadata }, signal);
  extended.created = created;
  const written = await devices.reserve(created, { pod, allocation }, signal);
  // The written claim has the devices from now on.
  devices.forget(claim);
  const { name = '' } = written.metadata;
  await devices.recordExtended(pod, { resourceClaimName: name, requestMappings: mappings() }, signal);
  return written;
}

function isReservedFor({ uid }: PodFacts, { status }: ResourceClaim): boolean {
  return (status?.reservedFor ?? []).some((each) => each.uid === uid);
}

function uidOf({ metadata: { uid = '' } }: ResourceClaim): string {
  return uid;
}
