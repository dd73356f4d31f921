import type { Container, ContainerStatus, Pod } from '@binnacle/client/kinds/core/v1';
import { type ContainerPlan, nextContainer, type Surroundings } from './container-life.js';
import { endedStatus, unknownEnd, waitingStatus } from './container-status.js';
import { isSidecar } from './phase.js';
import { restarts } from './restart-policy.js';
import type { Script } from './script.js';

/** An init container runs for a second. */
const INIT = { readyAfter: 0, end: { after: 1000, exitCode: 0 } };

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
  let next = Infinity;
  const advance = (container: Container, status: ContainerStatus, plan: ContainerPlan): ContainerStatus => {
    const step = nextContainer(container, status, plan, around);
    next = Math.min(next, step.next);
    if (step.backsOff === true) backingOff.push(container.name);
    return step.status;
  };
  const restartsOf = (container: Container) => (code: number) => restarts(container, spec, code);
  const hasStarted = before.regular.some(({ state, lastState }) => hasRun(state) || hasRun(lastState));
  let isTurn = true;
  const init = zip(initContainers, before.init, (container, status) => {
    if (!isTurn && !hasStarted) return status;
    const step = isSidecar(container)
      ? advance(container, status, { readyAfter: 0, end: undefined, restarts: restartsOf(container) })
      : asInit(
          advance(container, status, { ...INIT, restarts: (code) => code !== 0 && restarts(container, spec, code) }),
        );
    if (!isInitialized(container, step)) isTurn = false;
    return step;
  });
  const { readyAfter, end } = script;
  const regular = zip(containers, before.regular, (container, status) =>
    isTurn || hasStarted ? advance(container, status, { readyAfter, end, restarts: restartsOf(container) }) : status,
  );
  const forever = { readyAfter: 0, end: undefined, restarts: () => false };
  const ephemeral = zip(ephemeralContainers, before.ephemeral, (container, status) =>
    advance(container, status, forever),
  );
  return { init, regular, ephemeral, next, backingOff };
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
