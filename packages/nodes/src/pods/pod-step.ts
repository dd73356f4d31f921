import { podAmounts, textsOf } from '@binnacle/api/quota';
import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { formatTime } from '@binnacle/apimachinery/time';
import type { Pod, PodStatus } from '@binnacle/client/kinds/core/v1';
import { type Behaviour, scripted } from './behaviour.js';
import { conditionsOf, hadSandbox, othersConditions } from './conditions.js';
import { containerPath, endEvents, firstEvents, heldEvents, livenessEvents, startEvents } from './container-events.js';
import type { Hold } from './container-life.js';
import {
  type ContainerGroups,
  endContainers,
  type GroupsStep,
  nextContainers,
  presentContainers,
} from './container-steps.js';
import { disrupted, EVICTED, EVICTION_EVENT } from './eviction.js';
import type { PodEvent } from './pod-event.js';
import { type Phase, phaseOf, type Statuses } from './phase.js';
import { stopHooksEnd } from './stop-hooks.js';
import { timeIn } from './time-in.js';

/** The pause before missing volumes are checked again, in milliseconds. */
const MOUNT_RETRY = 5000;

/** Why a node does not take a pod. */
export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

export interface PodLook {
  readonly pod: Pod;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly hostIPs: readonly string[];
  /** The addresses of the pod, unless it has those of its node. */
  readonly podIPs: readonly string[];
  /** Why volumes are missing, for a pod that has not started. Default: none is missing. */
  readonly mountProblem?: string | undefined;
  /** Why containers cannot start, by their names. Default: all can. */
  readonly holds?: ReadonlyMap<string, Hold> | undefined;
  /** Why the node does not take the pod; only for a pod that has not been admitted. */
  readonly rejection?: Rejection | undefined;
  /** Default: that of the pod's script. */
  readonly behaviour?: Behaviour | undefined;
}

export interface PodStep {
  /** Undefined: the pod has this status already. */
  readonly status: PodStatus | undefined;
  /** Milliseconds until the pod changes without an outside event; undefined: it does not. */
  readonly lookAgainAfter: number | undefined;
  /** The pod is being deleted and none of its containers runs, so the node may remove it from the server. */
  readonly canGo: boolean;
  readonly events: readonly PodEvent[];
  /** The names of containers that run and must end. The pod is to be looked at again when they have ended. */
  readonly mustEnd: readonly string[];
}

const NO_CHANGE: PodStep = { status: undefined, lookAgainAfter: undefined, canGo: false, events: [], mustEnd: [] };

/** Whether its node has taken the pod, or has rejected it. */
export const isAdmitted = ({ status }: Pod): boolean => status?.startTime !== undefined;

/** The next step of a pod on its node. It depends only on its arguments: all state of a pod is in its status. */
export function nextPodStep(look: PodLook): PodStep {
  const { pod, rejection } = look;
  const isLeaving = pod.metadata.deletionTimestamp !== undefined;
  const present = presentContainers(pod);
  // Without a grace period, the server itself removes the pod when the last finalizer is gone.
  if (isOver(pod, present)) return { ...NO_CHANGE, canGo: isLeaving && pod.metadata.deletionGracePeriodSeconds !== 0 };
  if (rejection !== undefined && !isLeaving) return reject(look, rejection);
  const { behaviour = scripted(pod) } = look;
  if (isLeaving) return leave(look, present, behaviour);
  const [deadline, eviction] = [deadlineOf(look), evictionOf(look, behaviour)];
  if (deadline <= look.now) return end(look, present, behaviour, DEADLINE_EXCEEDED);
  if (eviction <= look.now) return evict(look, present, behaviour);
  return live(look, present, behaviour, Math.min(deadline, eviction));
}

/** Processes run their hooks themselves. */
function leave(look: PodLook, present: ContainerGroups, behaviour: Behaviour): PodStep {
  const rest = stopHooksEnd(look.pod, [...present.init, ...present.regular]) - look.now;
  if (behaviour.endsAtOnce && rest > 0) return { ...NO_CHANGE, lookAgainAfter: rest };
  return end(look, present, behaviour);
}

const DEADLINE_EXCEEDED: Pick<PodStatus, 'phase' | 'reason' | 'message'> = {
  phase: 'Failed',
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

function evict(look: PodLook, present: ContainerGroups, behaviour: Behaviour): PodStep {
  const step = end({ ...look, pod: disrupted(look.pod, look.now) }, present, behaviour, EVICTED);
  return { ...step, events: [EVICTION_EVENT, ...step.events] };
}

/** Whether the pod has ended. A final phase that another writer set while containers run does not count. */
function isOver({ status }: Pod, { init, regular }: ContainerGroups): boolean {
  if (status?.phase !== 'Failed' && status?.phase !== 'Succeeded') return false;
  return [...init, ...regular].every(({ state }) => state?.running === undefined);
}

/** Upstream: `rejectPod`. */
function reject({ pod, now }: PodLook, { reason, message }: Rejection): PodStep {
  const conditions = othersConditions(pod);
  const status: PodStatus = {
    ...observed(pod),
    phase: 'Failed',
    ...(conditions.length === 0 ? {} : { conditions }),
    reason,
    message: `Pod was rejected: ${message}`,
    startTime: formatTime(now),
  };
  return { ...NO_CHANGE, status, events: [{ type: 'Warning', reason, message }] };
}

/** Ends the containers. The phase changes once all have ended. */
function end(
  look: PodLook,
  present: ContainerGroups,
  behaviour: Behaviour,
  verdict: typeof DEADLINE_EXCEEDED = {},
): PodStep {
  const { pod } = look;
  const { mustEnd, ...groups } = endContainers(pod, present, (status) => behaviour.endOf(status, look.now));
  if (mustEnd.length > 0) {
    const status = statusOf(look, groups, { phase: pod.status?.phase ?? 'Pending', hasSandbox: true });
    return { ...NO_CHANGE, status: unlessSame(pod, status), mustEnd };
  }
  const phase = verdict.phase ?? phaseOf(pod.spec ?? { containers: [] }, statusesOf(groups), true);
  const isFinal = phase === 'Succeeded' || phase === 'Failed';
  const status = statusOf(look, groups, { ...verdict, phase: isFinal ? phase : 'Failed', hasSandbox: false });
  const events = behaviour.endsAtOnce ? endEvents(pod, present) : [];
  return { ...NO_CHANGE, status: unlessSame(pod, status), events };
}

function live(look: PodLook, present: ContainerGroups, behaviour: Behaviour, deadline: number): PodStep {
  const { pod, now } = look;
  const { spec = { containers: [] } } = pod;
  const sandboxAt = sandboxTime(look, behaviour);
  const hasSandbox = sandboxAt <= now;
  const step: GroupsStep = hasSandbox
    ? nextContainers(pod, present, behaviour, surroundings(look))
    : { ...present, next: sandboxAt, backingOff: [], unhealthy: [], mustEnd: [] };
  // These containers do not restart, so sidecars end too.
  const areDone = step.regular.every(({ state }) => state?.terminated !== undefined);
  const isEnding = areDone || phaseOf(spec, statusesOf(step), false) === 'Failed';
  const { mustEnd, ...groups } = isEnding ? endContainers(pod, step, (status) => behaviour.endOf(status, now)) : step;
  const isFinal = isEnding && mustEnd.length === 0;
  const phase = isEnding && !isFinal ? (pod.status?.phase ?? 'Pending') : phaseOf(spec, statusesOf(groups), isFinal);
  const status = statusOf(look, groups, { phase, hasSandbox: hasSandbox && !isFinal });
  const next = Math.min(step.next, deadline);
  return {
    status: unlessSame(pod, status),
    lookAgainAfter: isFinal || next === Infinity ? undefined : Math.max(0, next - now),
    canGo: false,
    mustEnd,
    events: [
      ...(isAdmitted(pod) ? [] : admissionEvents(look, behaviour)),
      ...firstEvents(step.unhealthy, (name) => livenessEvents(pod, name)),
      ...heldEvents(pod, present, step),
      ...startEvents(pod, present, step),
      ...(isEnding && behaviour.endsAtOnce ? endEvents(pod, step) : []),
      ...firstEvents(step.backingOff, (name) => [backOff(pod, name)]),
    ],
  };
}

/** When the sandbox of the pod is ready, in milliseconds since the epoch. A change of the script takes none away. */
function sandboxTime(look: PodLook, { startAfter }: Behaviour): number {
  const { pod, now, mountProblem } = look;
  if (mountProblem !== undefined) return now + MOUNT_RETRY;
  return hadSandbox(pod) ? now : startOf(look) + startAfter;
}

/** Later looks at the same problems cause no more events. */
function admissionEvents({ mountProblem }: PodLook, { events }: Behaviour): readonly PodEvent[] {
  if (mountProblem === undefined) return events;
  return [...events, { type: 'Warning', reason: 'FailedMount', message: mountProblem }];
}

const backOff = (pod: Pod, container: string): PodEvent => ({
  type: 'Warning',
  reason: 'BackOff',
  message: `Back-off restarting failed container ${container} in pod ${titleOf(pod)}`,
  ...containerPath(pod, container),
});

interface Verdict extends Pick<PodStatus, 'reason' | 'message'> {
  readonly phase: Phase;
  readonly hasSandbox: boolean;
}

/** The status that the kubelet writes: its own fields, and those of other writers, which it keeps. Upstream: `mergePodStatus`. */
function statusOf(look: PodLook, { init, regular, ephemeral }: ContainerGroups, verdict: Verdict): PodStatus {
  const { pod, now, hostIPs } = look;
  const { phase, hasSandbox, ...cause } = verdict;
  const statuses = statusesOf({ init, regular, ephemeral });
  const addresses = addressesOf(look, hasSandbox);
  const [hostIP] = hostIPs;
  const [podIP] = addresses;
  return {
    ...observed(pod),
    phase,
    conditions: conditionsOf(pod, { phase, statuses, hasSandbox, now }),
    ...(cause.reason === undefined && pod.status?.phase === phase ? causeOf(pod) : cause),
    ...(hostIP === undefined ? {} : { hostIP, hostIPs: hostIPs.map((ip) => ({ ip })) }),
    ...(podIP === undefined ? {} : { podIP, podIPs: addresses.map((ip) => ({ ip })) }),
    startTime: formatTime(startOf(look)),
    ...(init.length === 0 ? {} : { initContainerStatuses: init }),
    containerStatuses: regular,
    ...(ephemeral.length === 0 ? {} : { ephemeralContainerStatuses: ephemeral }),
    ...amountsIn(pod),
  };
}

/** The fields that other writers own, with the generation that this status is for. */
function observed({ metadata, status = {} }: Pod): PodStatus {
  const { qosClass, nominatedNodeName, resourceClaimStatuses, extendedResourceClaimStatus } = status;
  const { nodeAllocatableResourceClaimStatuses: allocated } = status;
  return {
    ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
    ...(qosClass === undefined ? {} : { qosClass }),
    ...(nominatedNodeName === undefined ? {} : { nominatedNodeName }),
    ...(resourceClaimStatuses === undefined ? {} : { resourceClaimStatuses }),
    ...(extendedResourceClaimStatus === undefined ? {} : { extendedResourceClaimStatus }),
    ...(allocated === undefined ? {} : { nodeAllocatableResourceClaimStatuses: allocated }),
  };
}

/** Kept only while the phase stays, because they explain the phase. */
function causeOf({ status: { reason, message } = {} }: Pod): Pick<PodStatus, 'reason' | 'message'> {
  return { ...(reason === undefined ? {} : { reason }), ...(message === undefined ? {} : { message }) };
}

/** The addresses that the pod has, or else those that it gets: a pod never changes its addresses. */
function addressesOf({ pod, hostIPs, podIPs }: PodLook, hasSandbox: boolean): readonly string[] {
  const present = (pod.status?.podIPs ?? []).flatMap(({ ip }) => (ip === undefined ? [] : [ip]));
  if (present.length > 0) return present;
  if (pod.spec?.hostNetwork === true) return hostIPs;
  return hasSandbox ? podIPs : [];
}

/** The resources of the whole pod, even if its spec sets none at this level. Upstream: `convertToAPIPodLevelResourcesStatus`. */
function amountsIn({ spec = { containers: [] } }: Pod): Pick<PodStatus, 'resources' | 'allocatedResources'> {
  const requests = textsOf(podAmounts(spec, 'requests'));
  const limits = textsOf(podAmounts(spec, 'limits'));
  const hasRequests = Object.keys(requests).length > 0;
  return {
    resources: { ...(Object.keys(limits).length > 0 ? { limits } : {}), ...(hasRequests ? { requests } : {}) },
    ...(hasRequests ? { allocatedResources: requests } : {}),
  };
}

function statusesOf({ init, regular }: ContainerGroups): Statuses {
  return new Map([...init, ...regular].map((status) => [status.name, status]));
}

const startOf = ({ pod, now }: PodLook): number => timeIn(pod.status?.startTime, now);

function deadlineOf(look: PodLook): number {
  const seconds = look.pod.spec?.activeDeadlineSeconds;
  return seconds === undefined ? Infinity : startOf(look) + seconds * 1000;
}

function evictionOf(look: PodLook, { evictAfter }: Behaviour): number {
  return evictAfter === undefined ? Infinity : startOf(look) + evictAfter;
}

const NO_HOLDS: ReadonlyMap<string, Hold> = new Map();

const surroundings = ({ pod, now, holds = NO_HOLDS }: PodLook) => ({
  uid: pod.metadata.uid ?? '',
  podTitle: titleOf(pod),
  now,
  holds,
});

const titleOf = ({ metadata: { name = '', namespace = '', uid = '' } }: Pod): string => `${name}_${namespace}(${uid})`;

const unlessSame = ({ status }: Pod, next: PodStatus): PodStatus | undefined =>
  deepEqual(asJson(status ?? {}), asJson(next)) ? undefined : next;
