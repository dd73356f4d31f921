import type { ContainerState, ContainerStatus, Pod } from '@binnacle/client/kinds/core/v1';

/** One run of a container. Times are RFC 3339. */
export interface ContainerRun {
  readonly startedAt: string | undefined;
  /** Undefined: it runs. */
  readonly finishedAt: string | undefined;
}

/** The run whose log a client gets, or the reason why there is none. Upstream: `validateContainerLogStatus`. */
export function runOf(pod: Pod, container: string, previous: boolean): ContainerRun | { readonly problem: string } {
  const status = statusOf(pod, container);
  const where = `container ${JSON.stringify(container)} in pod ${JSON.stringify(pod.metadata.name ?? '')}`;
  if (status === undefined) return { problem: `${where} is not available` };
  const { running, terminated, waiting } = status.state ?? {};
  const last = ended(status.lastState);
  if (previous) return last ?? { problem: `previous terminated ${where} not found` };
  if (running !== undefined) return { startedAt: running.startedAt, finishedAt: undefined };
  if (terminated !== undefined || status.lastState?.terminated !== undefined) {
    return ended(status.state) ?? last ?? { problem: `${where} is terminated` };
  }
  return {
    problem:
      waiting === undefined
        ? `${where} is waiting to start - no logs yet`
        : `${where} is waiting to start: ${causeOf(waiting)}`,
  };
}

/** The run as it is now; undefined: its pod is gone. Later runs of the container have their own logs. */
export function sameRun(
  before: Pod,
  current: Pod | undefined,
  container: string,
  { startedAt }: ContainerRun,
): ContainerRun | undefined {
  if (current?.metadata.uid !== before.metadata.uid || current === undefined) return undefined;
  for (const previous of [false, true]) {
    const run = runOf(current, container, previous);
    if (!('problem' in run) && run.startedAt === startedAt) return run;
  }
  return undefined;
}

/** The ID of the container of a run; '' if its pod no longer tells. */
export function containerIdOf(pod: Pod, container: string, { startedAt, finishedAt }: ContainerRun): string {
  const { containerID = '', state = {}, lastState = {} } = statusOf(pod, container) ?? {};
  if (finishedAt === undefined) return containerID;
  const ends = [state.terminated, lastState.terminated];
  const end = ends.find((each) => each?.startedAt === startedAt && each?.finishedAt === finishedAt);
  return end?.containerID ?? '';
}

/** The status of a container of any sort. */
export function statusOf({ status = {} }: Pod, container: string): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status;
  return [containerStatuses, initContainerStatuses, ephemeralContainerStatuses]
    .flat()
    .find(({ name }) => name === container);
}

function causeOf({ reason = '' }: NonNullable<ContainerState['waiting']>): string {
  if (reason === 'ErrImagePull') return "image can't be pulled";
  return reason === 'ImagePullBackOff' ? 'trying and failing to pull image' : reason;
}

/** Undefined for a container that never ran. */
function ended({ terminated }: ContainerState = {}): ContainerRun | undefined {
  if (terminated?.containerID === undefined) return undefined;
  return { startedAt: terminated.startedAt, finishedAt: terminated.finishedAt };
}
