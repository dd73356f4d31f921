import type { Container, ContainerStatus, Pod } from '@binnacle/client/kinds/core/v1';
import { type ContainerPlan, nextContainer, type Surroundings } from './container-life.js';
import { endedStatus, unknownEnd, waitingStatus } from './container-status.js';
import { isSidecar } from './phase.js';
import { restarts } from './restart-policy.js';
import type { Script } from './script.js';

/** The exit code of a container that a liveness probe has ended. */
const KILLED = 137;
/** Ready for as long as it runs. */
const ALWAYS_READY = { readyAfter: 0, unreadyAfter: Infinity };

export interface ContainerGroups {
  readonly init: readonly ContainerStatus[];
  readonly regular: readonly ContainerStatus[];
  readonly ephemeral: readonly ContainerStatus[];
}

export interface GroupsStep extends ContainerGroups {
  /** When a container changes next, milliseconds since the epoch. */
  readonly next: number;
  /** The names of containers that have begun to wait for their next start. */
  readonly backingOff: readonly string[];
  /** The names of containers that a liveness probe has ended. */
  readonly unhealthy: readonly string[];
}

/** The statuses that the pod has, and `waiting` for containers that are new in its spec. */
export function presentContainers({ spec, status }: Pod): ContainerGroups {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  const reason = initContainers.length > 0 ? 'PodInitializing' : 'ContainerCreating';
  const fill = (wanted: readonly Container[], present: readonly ContainerStatus[] = []): readonly ContainerStatus[] =>
    wanted.map((container) => present.find(({ name }) => name === container.name) ?? waitingStatus(container, reason));
  return {
    init: fill(initContainers, status?.initContainerStatuses),
    regular: fill(containers, status?.containerStatuses),
    ephemeral: fill(ephemeralContainers, status?.ephemeralContainerStatuses),
  };
}

/** Init containers run one after the other, sidecars from their turn on, and the others when all of these are done or started. */
export function nextContainers(pod: Pod, before: ContainerGroups, script: Script, around: Surroundings): GroupsStep {
  const { spec = { containers: [] } } = pod;
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  const backingOff: string[] = [];
  const unhealthy: string[] = [];
  let next = Infinity;
  const advance = (container: Container, status: ContainerStatus, plan: ContainerPlan): ContainerStatus => {
    const step = nextContainer(container, status, plan, around);
    next = Math.min(next, step.next);
    if (step.backsOff === true) backingOff.push(container.name);
    if (step.failedLiveness === true) unhealthy.push(container.name);
    return step.status;
  };
  const restartsOf = (container: Container) => (code: number) => restarts(container, spec, code);
  const hasStarted = before.regular.some(({ state, lastState }) => hasRun(state) || hasRun(lastState));
  let isTurn = true;
  const init = zip(initContainers, before.init, (container, status) => {
    if (!isTurn && !hasStarted) return status;
    const step = isSidecar(container)
      ? advance(container, status, { ...ALWAYS_READY, end: undefined, restarts: restartsOf(container) })
      : asInit(
          advance(container, status, {
            ...ALWAYS_READY,
            end: script.initEnd,
            restarts: (code) => code !== 0 && restarts(container, spec, code),
          }),
        );
    if (!isInitialized(container, step)) isTurn = false;
    return step;
  });
  const regular = zip(containers, before.regular, (container, status) =>
    isTurn || hasStarted
      ? advance(container, status, { ...planOf(container, script), restarts: restartsOf(container) })
      : status,
  );
  const forever = { ...ALWAYS_READY, end: undefined, restarts: () => false };
  const ephemeral = zip(ephemeralContainers, before.ephemeral, (container, status) =>
    advance(container, status, forever),
  );
  return { init, regular, ephemeral, next, backingOff, unhealthy };
}

/** The first end counts: the script's, or that by a liveness probe. */
function planOf(container: Container, script: Script): Omit<ContainerPlan, 'restarts'> {
  const { readyAfter, unreadyAfter, end, livenessFailsAfter = Infinity } = script;
  const isKilled = container.livenessProbe !== undefined && livenessFailsAfter < (end?.after ?? Infinity);
  if (!isKilled) return { readyAfter, unreadyAfter, end };
  return { readyAfter, unreadyAfter, end: { after: livenessFailsAfter, exitCode: KILLED }, failsLiveness: true };
}

/** Ends what runs. In a pod that ends, a container that was about to start has failed. Upstream: `TerminatePod`. */
export function endContainers(
  { spec }: Pod,
  { init, regular, ephemeral }: ContainerGroups,
  finishedAt: string,
): ContainerGroups {
  const end = (status: ContainerStatus): ContainerStatus =>
    status.state?.running === undefined ? status : endedStatus(status, { exitCode: 0, finishedAt });
  const wasInitialized = (spec?.initContainers ?? []).every((container, index) =>
    isInitialized(container, init[index]),
  );
  const endRegular = (status: ContainerStatus): ContainerStatus =>
    wasInitialized && !hasRun(status.state) ? unknownEnd(status) : end(status);
  return { init: init.map(end), regular: regular.map(endRegular), ephemeral: ephemeral.map(end) };
}

/** An init container is ready when it has succeeded. */
function asInit(status: ContainerStatus): ContainerStatus {
  return { ...status, ready: status.state?.terminated?.exitCode === 0 };
}

/** Whether the next container may start. */
function isInitialized(container: Container, status: ContainerStatus | undefined): boolean {
  return isSidecar(container) ? status?.started === true : status?.state?.terminated?.exitCode === 0;
}

function hasRun(state: ContainerStatus['state']): boolean {
  return state?.running !== undefined || state?.terminated !== undefined;
}

function zip(
  containers: readonly Container[],
  statuses: readonly ContainerStatus[],
  change: (container: Container, status: ContainerStatus) => ContainerStatus,
): readonly ContainerStatus[] {
  return statuses.map((status, index) => {
    const container = containers[index];
    return container === undefined ? status : change(container, status);
  });
}
