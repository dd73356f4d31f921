import type { Container, ContainerStatus, Pod } from '@binnacle/client/kinds/core/v1';
import type { Behaviour, ContainerEnd, ContainerRole } from './behaviour.js';
import { nextContainer, type Surroundings } from './container-life.js';
import { endedStatus, unknownEnd, waitingStatus } from './container-status.js';
import { isSidecar } from './phase.js';
import { restarts } from './restart-policy.js';

export interface ContainerGroups {
  readonly init: readonly ContainerStatus[];
  readonly regular: readonly ContainerStatus[];
  readonly ephemeral: readonly ContainerStatus[];
}

export interface GroupsStep extends ContainerGroups {
  /** When a container changes next, in milliseconds since the epoch. */
  readonly next: number;
  /** The names of containers that have begun to wait for their next start. */
  readonly backingOff: readonly string[];
  /** The names of containers that a liveness probe has ended. */
  readonly unhealthy: readonly string[];
  /** The names of containers that run, and must end before they start again. */
  readonly mustEnd: readonly string[];
}

/** The statuses that the pod has, and `waiting` for containers that are new in its spec. */
export function presentContainers({ spec, status }: Pod): ContainerGroups {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  const reason = initContainers.length > 0 ? 'PodInitializing' : 'ContainerCreating';
  const fill = (wanted: readonly Container[], present: readonly ContainerStatus[] = []): readonly ContainerStatus[] => {
    const known = new Map(present.map((status) => [status.name, status]));
    return wanted.map((container) => known.get(container.name) ?? waitingStatus(container, reason));
  };
  return {
    init: fill(initContainers, status?.initContainerStatuses),
    regular: fill(containers, status?.containerStatuses),
    ephemeral: fill(ephemeralContainers, status?.ephemeralContainerStatuses),
  };
}

/** Init containers run one after the other, sidecars from their turn on, and the others when all of these are done or started. */
export function nextContainers(
  pod: Pod,
  before: ContainerGroups,
  behaviour: Behaviour,
  around: Surroundings,
): GroupsStep {
  const { spec = { containers: [] } } = pod;
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  const backingOff: string[] = [];
  const unhealthy: string[] = [];
  const mustEnd: string[] = [];
  let next = Infinity;
  // No regular container starts again, so sidecars do not either.
  const areDone = before.regular.every(({ state }, index) => {
    const [container, code] = [containers[index], state?.terminated?.exitCode];
    return code !== undefined && container !== undefined && !restarts(container, spec, code);
  });
  const mayRestart = (role: ContainerRole, exitCode: number): boolean =>
    role === 'init' ? exitCode !== 0 : role === 'sidecar' ? !areDone : role === 'regular';
  const advance = (role: ContainerRole, container: Container, status: ContainerStatus): ContainerStatus => {
    const plan = {
      factsOf: (run: ContainerStatus) => behaviour.factsOf(container, role, run, around.now),
      endOf: (run: ContainerStatus) => behaviour.endOf(run, around.now),
      restarts: (code: number) => mayRestart(role, code) && restarts(container, spec, code),
    };
    const step = nextContainer(container, status, plan, around);
    next = Math.min(next, step.next);
    if (step.backsOff === true) backingOff.push(container.name);
    if (step.failedLiveness === true) unhealthy.push(container.name);
    if (step.mustEnd === true) mustEnd.push(container.name);
    return step.status;
  };
  const hasStarted = before.regular.some(({ state, lastState }) => hasRun(state) || hasRun(lastState));
  let isTurn = true;
  const init = zip(initContainers, before.init, (container, status) => {
    if (!isTurn && !hasStarted) return status;
    const step = isSidecar(container)
      ? advance('sidecar', container, status)
      : asInit(advance('init', container, status));
    if (!isInitialized(container, step)) isTurn = false;
    return step;
  });
  const regular = zip(containers, before.regular, (container, status) =>
    isTurn || hasStarted ? advance('regular', container, status) : status,
  );
  const ephemeral = zip(ephemeralContainers, before.ephemeral, (container, status) =>
    advance('ephemeral', container, status),
  );
  return { init, regular, ephemeral, next, backingOff, unhealthy, mustEnd };
}

/** The containers after the node has told them to end. */
export interface EndedContainers extends ContainerGroups {
  /** The names of those that still run. */
  readonly mustEnd: readonly string[];
}

/** Ends what runs. In a pod that ends, a container that was about to start has failed. Upstream: `TerminatePod`. */
export function endContainers(
  { spec }: Pod,
  { init, regular, ephemeral }: ContainerGroups,
  endOf: (status: ContainerStatus) => ContainerEnd | undefined,
): EndedContainers {
  const mustEnd: string[] = [];
  const end = (status: ContainerStatus): ContainerStatus => {
    if (status.state?.running === undefined) return status;
    const how = endOf(status);
    if (how !== undefined) return endedStatus(status, how);
    mustEnd.push(status.name);
    return status;
  };
  const wasInitialized = (spec?.initContainers ?? []).every((container, index) =>
    isInitialized(container, init[index]),
  );
  const endRegular = (status: ContainerStatus): ContainerStatus =>
    wasInitialized && !hasRun(status.state) ? unknownEnd(status) : end(status);
  return { init: init.map(end), regular: regular.map(endRegular), ephemeral: ephemeral.map(end), mustEnd };
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
