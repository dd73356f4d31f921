import { createHash } from 'node:crypto';
import { formatTime } from '@binnacle/apimachinery/time';
import type { Container, ContainerState, ContainerStatus } from '@binnacle/client/kinds/core/v1';
import type { ContainerEnd } from './behaviour.js';

export type Terminated = NonNullable<ContainerState['terminated']>;

/** The status of a container that has never started. */
export function waitingStatus(container: Container, reason: string): ContainerStatus {
  return {
    name: container.name,
    image: container.image ?? '',
    imageID: '',
    ready: false,
    started: false,
    restartCount: 0,
    state: { waiting: { reason } },
    lastState: {},
    ...mountsOf(container),
  };
}

/** The status of a container that would start now, but cannot. */
export function heldStatus(
  before: ContainerStatus,
  waiting: { readonly reason: string; readonly message: string },
): ContainerStatus {
  const lastState = before.state?.terminated === undefined ? before.lastState : before.state;
  return {
    ...before,
    ready: false,
    started: false,
    state: { waiting },
    ...(lastState === undefined ? {} : { lastState }),
  };
}

/** The status of a container that starts now. `before` has its last run. */
export function startedStatus(
  container: Container,
  { uid, startedAt, before }: { readonly uid: string; readonly startedAt: string; readonly before: ContainerStatus },
): ContainerStatus {
  const last = before.state?.terminated ?? before.lastState?.terminated;
  const restartCount = last === undefined ? 0 : before.restartCount + 1;
  const image = container.image ?? '';
  return {
    name: container.name,
    image,
    imageID: image,
    containerID: containerId(uid, container.name, restartCount),
    ready: false,
    started: false,
    restartCount,
    state: { running: { startedAt } },
    lastState: last === undefined ? {} : { terminated: last },
    ...resourcesOf(container),
    ...mountsOf(container),
  };
}

/** The status of a running container that has ended. */
export function endedStatus(
  status: ContainerStatus,
  { exitCode, at, reason = exitCode === 0 ? 'Completed' : 'Error', message }: ContainerEnd,
): ContainerStatus {
  const finishedAt = formatTime(at);
  const { startedAt = finishedAt } = status.state?.running ?? {};
  const terminated = {
    exitCode,
    reason,
    ...(message === undefined ? {} : { message }),
    startedAt,
    finishedAt,
    ...(status.containerID === undefined ? {} : { containerID: status.containerID }),
  };
  return { ...status, ready: false, started: false, state: { terminated } };
}

/** The status of a container that never ran in a pod that has ended. Upstream: `TerminatePod`. */
export function unknownEnd(status: ContainerStatus): ContainerStatus {
  const terminated = {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
  };
  return { ...status, ready: false, started: false, state: { terminated } };
}

/** A running container has all that it asks for. */
export function resourcesOf({ resources = {} }: Container): Pick<ContainerStatus, 'resources' | 'allocatedResources'> {
  const { requests, limits } = resources;
  return {
    resources: { ...(limits === undefined ? {} : { limits }), ...(requests === undefined ? {} : { requests }) },
    ...(requests === undefined ? {} : { allocatedResources: requests }),
  };
}

function mountsOf({ volumeMounts = [] }: Container): Pick<ContainerStatus, 'volumeMounts'> {
  if (volumeMounts.length === 0) return {};
  return {
    volumeMounts: volumeMounts.map(({ name, mountPath, readOnly }) => ({
      name,
      mountPath,
      ...(readOnly === true ? { readOnly, recursiveReadOnly: 'Disabled' } : {}),
    })),
  };
}

/** The same for the same run of the same container, so that a step can be repeated. */
function containerId(uid: string, name: string, restartCount: number): string {
  return `containerd://${createHash('sha256').update(`${uid}/${name}/${restartCount}`).digest('hex')}`;
}
