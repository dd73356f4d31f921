import { formatDuration, formatTime, parseTime } from '@binnacle/apimachinery/time';
import type { Container, ContainerStatus } from '@binnacle/client/kinds/core/v1';
import { endedStatus, heldStatus, resourcesOf, startedStatus, type Terminated } from './container-status.js';
import { restartBackoff } from './restart-policy.js';
import type { Script } from './script.js';

/** The facts that decide about a container, besides its own status. */
export interface Surroundings {
  readonly uid: string;
  /** `NAME_NAMESPACE(UID)`, as messages name the pod. */
  readonly podTitle: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Why containers cannot start, by their names. */
  readonly holds: ReadonlyMap<string, Hold>;
}

/** Why a container waits. */
export interface Hold {
  readonly reason: string;
  readonly message: string;
}

export interface ContainerPlan extends Pick<Script, 'readyAfter' | 'unreadyAfter' | 'end'> {
  /** The end is the work of a liveness probe. */
  readonly failsLiveness?: boolean;
  readonly restarts: (exitCode: number) => boolean;
}

export interface ContainerStep {
  readonly status: ContainerStatus;
  /** When the container changes next, milliseconds since the epoch. */
  readonly next: number;
  /** The container has begun to wait for its next start. */
  readonly backsOff?: boolean;
  /** A liveness probe has ended the container. */
  readonly failedLiveness?: boolean;
}

/** The time until a container that is held back is checked again, milliseconds. */
const HOLD_RETRY = 5000;

/** The next status of a container whose turn has come. Starting takes no time. At most one end and one start are in a step. */
export function nextContainer(
  container: Container,
  before: ContainerStatus,
  plan: ContainerPlan,
  around: Surroundings,
): ContainerStep {
  const { running, terminated } = before.state ?? {};
  if (running !== undefined) return nextOfRunning(container, before, plan, around);
  if (terminated !== undefined) return afterEnd(container, before, terminated, { plan, around });
  const last = before.lastState?.terminated;
  if (last === undefined) return start(container, before, plan, around);
  const due = backoffEnd(before, last, around.now);
  return due <= around.now ? start(container, before, plan, around) : { status: before, next: due };
}

function nextOfRunning(
  container: Container,
  before: ContainerStatus,
  plan: ContainerPlan,
  around: Surroundings,
): ContainerStep {
  const { now } = around;
  const { image = '' } = container;
  if (image !== before.image) {
    // A kubelet kills a container whose image has changed, and starts it at once.
    return start(container, endedStatus(before, { exitCode: 0, finishedAt: formatTime(now) }), plan, around);
  }
  const startedAt = timeIn(before.state?.running?.startedAt, now);
  const end = plan.end === undefined ? Infinity : startedAt + plan.end.after;
  if (plan.end !== undefined && end <= now) {
    const { exitCode } = plan.end;
    const ended = endedStatus(before, { exitCode, finishedAt: formatTime(end) });
    const step = afterEnd(container, ended, ended.state?.terminated ?? { exitCode }, { plan, around });
    return plan.failsLiveness === true ? { ...step, failedLiveness: true } : step;
  }
  const readyAt = startedAt + plan.readyAfter;
  const unreadyAt = startedAt + plan.unreadyAfter;
  const hasBeenReady = readyAt <= now;
  const ready = hasBeenReady && now < unreadyAt;
  const started = hasBeenReady || container.startupProbe === undefined;
  const { allocatedResources: _, ...rest } = before;
  const status = { ...rest, ...resourcesOf(container), ready, started };
  const changes = [end, readyAt, unreadyAt].filter((time) => time > now);
  return { status, next: Math.min(...changes) };
}

function start(
  container: Container,
  before: ContainerStatus,
  plan: ContainerPlan,
  around: Surroundings,
): ContainerStep {
  const { uid, now } = around;
  const hold = around.holds.get(container.name);
  if (hold !== undefined) return { status: heldStatus(before, hold), next: now + HOLD_RETRY };
  const started = startedStatus(container, { uid, startedAt: formatTime(now), before });
  // Its end is left to the next step: clients see that the container has run.
  const step = nextOfRunning(container, started, { ...plan, end: undefined }, around);
  return { ...step, next: plan.end === undefined ? step.next : Math.min(step.next, now + plan.end.after) };
}

function afterEnd(
  container: Container,
  ended: ContainerStatus,
  { exitCode, ...times }: Terminated,
  { plan, around }: { readonly plan: ContainerPlan; readonly around: Surroundings },
): ContainerStep {
  if (!plan.restarts(exitCode)) return { status: ended, next: Infinity };
  const { now, podTitle } = around;
  const due = backoffEnd(ended, { exitCode, ...times }, now);
  if (due <= now) return start(container, ended, plan, around);
  const backoff = formatDuration(BigInt(due - timeIn(times.finishedAt, now)) * 1_000_000n);
  const message = `back-off ${backoff} restarting failed container=${container.name} pod=${podTitle}`;
  const state = { waiting: { reason: 'CrashLoopBackOff', message } };
  const status = { ...ended, state, lastState: ended.state ?? {} };
  return { status, next: due, backsOff: true };
}

function backoffEnd({ restartCount }: ContainerStatus, last: Terminated, now: number): number {
  const finishedAt = timeIn(last.finishedAt, now);
  return finishedAt + restartBackoff(restartCount, finishedAt - timeIn(last.startedAt, finishedAt));
}

/** A time that a kubelet wrote. Others may have written anything: `otherwise` takes the place of what is no time. */
export function timeIn(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  try {
    return parseTime(text);
  } catch {
    return otherwise;
  }
}
