import type { Container, ContainerStatus, Pod } from '@binnacle/client/kinds/core/v1';
import { type Behaviour, type ContainerEnd, containerOf, type ContainerRunFacts } from '../pods/index.js';
import type { ProcessEnd } from '../processes/index.js';

/** A run of a container as far as the node knows it. */
export interface KnownRun {
  /** Undefined: the process runs. */
  readonly end: ProcessEnd | undefined;
  /** Milliseconds since the epoch; Infinity: not yet. */
  readonly startedAt: number;
  readonly readyAt: number;
  /** For the message of a failure, if the container wants it. */
  readonly lastOutput: string;
}

/** Upstream: `convertToAPIContainerStatuses`. */
const LOST = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was deleted.  The container used to be Running',
};

/**
 * The behaviour of a pod whose containers are processes. `runOf`: by the ID of the container; undefined: this node has not started it.
 * A container that runs according to the pod, and that is not known, has ended with an earlier server.
 */
export function processBehaviour(pod: Pod, runOf: (containerId: string) => KnownRun | undefined): Behaviour {
  const ran = new Set(runningIds(pod));
  const endOf = (container: Container | undefined, status: ContainerStatus, now: number): ContainerEnd | undefined => {
    const { containerID = '' } = status;
    const run = runOf(containerID);
    if (run !== undefined) return run.end === undefined ? undefined : described(run.end, container, run.lastOutput);
    // A container that is only about to start has not run, and ends at once.
    return ran.has(containerID) ? { ...LOST, at: now } : { exitCode: 0, at: now };
  };
  return {
    factsOf: (container, _, status, now) => {
      const run = runOf(status.containerID ?? '');
      if (run === undefined && ran.has(status.containerID ?? '')) return { ...UNKNOWN, end: { ...LOST, at: now } };
      if (run === undefined) return expected(container, now);
      const { startedAt, readyAt } = run;
      return { startedAt, readyAt, unreadyAt: Infinity, end: endOf(container, status, now) };
    },
    endOf: (status, now) => endOf(containerOf(pod, status.name), status, now),
    endsAtOnce: false,
    startAfter: 0,
    evictAfter: undefined,
    events: [],
  };
}

const UNKNOWN: ContainerRunFacts = { startedAt: Infinity, readyAt: Infinity, unreadyAt: Infinity };

/** Of a process that is about to start: it counts as started and ready unless it has probes, or a hook that runs first. */
function expected({ startupProbe, readinessProbe, lifecycle }: Container, now: number): ContainerRunFacts {
  const startedAt = startupProbe === undefined && lifecycle?.postStart === undefined ? now : Infinity;
  return { startedAt, readyAt: readinessProbe === undefined ? startedAt : Infinity, unreadyAt: Infinity };
}

/** The longest message that is made of output. Upstream: `MaxContainerTerminationMessageLogLength`. */
const MOST_MESSAGE = 2048;

function described(
  { exitCode, at, problem }: ProcessEnd,
  container: Container | undefined,
  output: string,
): ContainerEnd {
  if (problem !== undefined) return { exitCode, at, reason: 'StartError', message: problem };
  const wantsOutput =
    container?.terminationMessagePolicy === 'FallbackToLogsOnError' && exitCode !== 0 && output !== '';
  return { exitCode, at, ...(wantsOutput ? { message: output.slice(-MOST_MESSAGE) } : {}) };
}

/** The statuses of the containers of a pod, of all sorts. */
export function statusesOf({ status = {} }: Pick<Pod, 'status'>): readonly ContainerStatus[] {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status;
  return [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
}

/** The IDs of the containers that run, as the pod says. */
export function runningIds(pod: Pick<Pod, 'status'>): readonly string[] {
  return statusesOf(pod).flatMap(({ state, containerID }) =>
    state?.running === undefined || containerID === undefined ? [] : [containerID],
  );
}
