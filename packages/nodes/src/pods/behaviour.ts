import type { Container, ContainerStatus, Pod } from '@binnacle/client/kinds/core/v1';
import { endOfCommand } from './command-end.js';
import { isSidecar } from './phase.js';
import type { PodEvent } from './pod-event.js';
import { type Script, scriptOf } from './script.js';
import { timeIn } from './time-in.js';

/** How a container ended. */
export interface ContainerEnd {
  readonly exitCode: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Default: `Completed` for code 0, otherwise `Error`. */
  readonly reason?: string;
  readonly message?: string;
}

/** What is known of a run of a container. Times are milliseconds since the epoch. */
export interface ContainerRunFacts {
  /** When its startup probe succeeds; Infinity: it is not known yet. */
  readonly startedAt: number;
  /** When its readiness probe succeeds. */
  readonly readyAt: number;
  /** When its readiness probe begins to fail. */
  readonly unreadyAt: number;
  /** Undefined: it is not known yet, or it runs forever. */
  readonly end?: ContainerEnd | undefined;
  /** The end is the work of a liveness probe. */
  readonly failsLiveness?: boolean;
}

/** The role of a container in its pod. */
export type ContainerRole = 'init' | 'sidecar' | 'regular' | 'ephemeral';

/** How the containers of a pod behave: a script decides it, or the processes that run. */
export interface Behaviour {
  /** Of the run that a status describes. `now`: milliseconds since the epoch. */
  readonly factsOf: (
    container: Container,
    role: ContainerRole,
    status: ContainerStatus,
    now: number,
  ) => ContainerRunFacts;
  /** How a running container ends when the node ends it now; undefined: it has not ended yet. */
  readonly endOf: (status: ContainerStatus, now: number) => ContainerEnd | undefined;
  /** Whether {@link endOf} always knows the end, and steps have the events of it. */
  readonly endsAtOnce: boolean;
  /** When the sandbox of the pod is ready, in milliseconds from its start. */
  readonly startAfter: number;
  /** When the node evicts the pod, in milliseconds from its start; undefined: never. */
  readonly evictAfter: number | undefined;
  /** Recorded when the node takes the pod. */
  readonly events: readonly PodEvent[];
}

/** From the start of a pod, which has whole seconds, until the next one, in milliseconds. */
const NEXT_SECOND = 1000;
/** The exit code of a container that a liveness probe has ended. */
const KILLED = 137;

export function roleOf({ spec }: Pod, container: Container): ContainerRole {
  if (spec?.containers?.includes(container) === true) return 'regular';
  if (spec?.initContainers?.includes(container) !== true) return 'ephemeral';
  return isSidecar(container) ? 'sidecar' : 'init';
}

/** The behaviour that the annotations of a pod describe. Containers end when they are told to, with code 0. */
export function scripted(pod: Pod): Behaviour {
  const script = scriptOf(pod);
  return {
    factsOf: (container, role, status, now) => {
      const startedAt = timeIn(status.state?.running?.startedAt, now);
      const { readyAfter, unreadyAfter, ...ending } = planOf(container, role, script);
      const { end, failsLiveness = false } = ending;
      const readyAt = startedAt + readyAfter;
      return {
        startedAt: container.startupProbe === undefined ? startedAt : readyAt,
        readyAt,
        unreadyAt: startedAt + unreadyAfter,
        end: end === undefined ? undefined : { exitCode: end.exitCode, at: startedAt + end.after },
        failsLiveness,
      };
    },
    endOf: (_, now) => ({ exitCode: 0, at: now }),
    endsAtOnce: true,
    startAfter: script.startAfter ?? (isTimed(pod, script) ? NEXT_SECOND : 0),
    evictAfter: script.evictAfter,
    events: script.problems.map((message) => ({ type: 'Warning', reason: 'InvalidScript', message })),
  };
}

interface Plan extends Pick<Script, 'readyAfter' | 'unreadyAfter' | 'end'> {
  readonly failsLiveness?: boolean;
}

/** Ready for as long as it runs. */
const FOREVER: Plan = { readyAfter: 0, unreadyAfter: Infinity, end: undefined };

/**
 * Whether a time that counts from the start of a container decides about the pod. Times in a status have whole seconds: if such a container started
 * within one, its time would be too short.
 */
function isTimed({ spec }: Pod, script: Script): boolean {
  const isOf = (role: ContainerRole) => (container: Container) => {
    const { readyAfter, unreadyAfter, end } = planOf(container, role, script);
    return readyAfter > 0 || unreadyAfter < Infinity || end !== undefined;
  };
  const { containers = [], initContainers = [] } = spec ?? {};
  return (
    containers.some(isOf('regular')) ||
    initContainers.some((container) => isOf(isSidecar(container) ? 'sidecar' : 'init')(container))
  );
}

/** Only regular containers follow the whole script. The first end counts: the script's, or that by a liveness probe. */
function planOf(container: Container, role: ContainerRole, script: Script): Plan {
  if (role === 'init') return { ...FOREVER, end: script.initEnd };
  if (role !== 'regular') return FOREVER;
  const { readyAfter, unreadyAfter, isOfJob, livenessFailsAfter = Infinity } = script;
  const end = script.end ?? (isOfJob ? endOfCommand(container) : undefined);
  const isKilled = container.livenessProbe !== undefined && livenessFailsAfter < (end?.after ?? Infinity);
  if (!isKilled) return { readyAfter, unreadyAfter, end };
  return { readyAfter, unreadyAfter, end: { after: livenessFailsAfter, exitCode: KILLED }, failsLiveness: true };
}
