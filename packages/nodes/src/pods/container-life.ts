import { formatDuration, formatTime } from '@binnacle/apimachinery/time';
import type { Container, ContainerStatus } from '@binnacle/client/kinds/core/v1';
import type { ContainerEnd, ContainerRunFacts } from './behaviour.js';
import { endedStatus, heldStatus, resourcesOf, startedStatus, type Terminated } from './container-status.js';
import { restartBackoff } from './restart-policy.js';
import { timeIn } from './time-in.js';

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

export interface ContainerPlan {
  /** Of the run that a status describes. */
  readonly factsOf: (status: ContainerStatus) => ContainerRunFacts;
  /** How the container ends when the node ends it now; undefined: it has not ended yet. */
  readonly endOf: (status: ContainerStatus) => ContainerEnd | undefined;
  readonly restarts: (exitCode: number) => boolean;
}

export interface ContainerStep {
  readonly status: ContainerStatus;
  /** When the container changes next, in milliseconds since the epoch. */
  readonly next: number;
  /** The container has begun to wait for its next start. */
  readonly backsOff?: boolean;
  /** A liveness probe has ended the container. */
  readonly failedLiveness?: boolean;
  /** The container runs and must end, and the node looks at it again when it has. */
  readonly mustEnd?: boolean;
}

/** The time until a container that is held back is checked again, in milliseconds. */
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
    const end = plan.endOf(before);
    if (end === undefined) return { status: before, next: Infinity, mustEnd: true };
    return start(container, endedStatus(before, end), plan, around);
  }
  const facts = plan.factsOf(before);
  const { end } = facts;
  if (end === undefined || end.at > now) return running(container, before, facts, now);
  const ended = endedStatus(before, end);
  const step = afterEnd(container, ended, ended.state?.terminated ?? end, { plan, around });
  return facts.failsLiveness === true ? { ...step, failedLiveness: true } : step;
}

function running(
  container: Container,
  before: ContainerStatus,
  { startedAt, readyAt, unreadyAt, end }: ContainerRunFacts,
  now: number,
): ContainerStep {
  const { allocatedResources: _, ...rest } = before;
  const ready = readyAt <= now && now < unreadyAt;
  const status = { ...rest, ...resourcesOf(container), ready, started: startedAt <= now };
  const changes = [end?.at ?? Infinity, startedAt, readyAt, unreadyAt].filter((time) => time > now);
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
  const startedAt = formatTime(now);
  const started = startedStatus(container, { uid, startedAt, before });
  const { end, ...facts } = plan.factsOf(started);
  // Its end is left to the next step: clients see that the container has run.
  const step = running(container, started, facts, now);
  return end === undefined ? step : { ...step, next: Math.min(step.next, now + end.at - timeIn(startedAt, now)) };
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
