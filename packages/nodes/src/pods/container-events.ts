import type { ContainerStatus, Pod } from '@binnacle/client/kinds/core/v1';
import type { ContainerGroups } from './container-steps.js';
import { CONFIG_ERROR, NO_IMAGE } from './holds.js';
import type { PodEvent } from './pod-event.js';

/** The events of containers that have started since `before`. Upstream: `pkg/kubelet/kuberuntime` and `images`. */
export function startEvents(pod: Pod, before: ContainerGroups, after: ContainerGroups): readonly PodEvent[] {
  const old = statusesOf(before);
  return statusesOf(after).flatMap((status, index) => {
    const last = old[index];
    if (status.state?.running === undefined || status.containerID === last?.containerID) return [];
    const about = (reason: string, message: string) => containerEvent(pod, status.name, reason, message);
    return [
      ...(last?.state?.running !== undefined && last.image !== status.image
        ? [about('Killing', `Container ${status.name} definition changed, will be restarted`)]
        : []),
      about(
        'Pulled',
        `Container image ${JSON.stringify(status.image)} already present on machine and can be accessed by the pod`,
      ),
      about('Created', 'Container created'),
      about('Started', 'Container started'),
    ];
  });
}

/** The events of a container that its liveness probe has ended. Upstream: `pkg/kubelet/prober`, `computePodActions`. */
export function livenessEvents(pod: Pod, name: string): readonly PodEvent[] {
  const unhealthy = containerEvent(pod, name, 'Unhealthy', 'Liveness probe failed: simulated');
  return [
    { ...unhealthy, type: 'Warning' },
    containerEvent(pod, name, 'Killing', `Container ${name} failed liveness probe, will be restarted`),
  ];
}

/** The events of containers that are held back since `before`, or now for another reason. Upstream: `startContainer`. */
export function heldEvents(pod: Pod, before: ContainerGroups, after: ContainerGroups): readonly PodEvent[] {
  const old = statusesOf(before);
  return statusesOf(after).flatMap(({ name, state }, index) => {
    const { reason, message = '' } = state?.waiting ?? {};
    const isNew = old[index]?.state?.waiting?.message !== message;
    const warning = (what: string, text: string): PodEvent => ({
      ...containerEvent(pod, name, what, text),
      type: 'Warning',
    });
    if (!isNew) return [];
    if (reason === CONFIG_ERROR) return [warning('Failed', `Error: ${message}`)];
    return reason === NO_IMAGE ? [warning(NO_IMAGE, message), warning('Failed', `Error: ${NO_IMAGE}`)] : [];
  });
}

/** The events of the containers that run and are ended with their pod. */
export function endEvents(pod: Pod, before: ContainerGroups): readonly PodEvent[] {
  return statusesOf(before).flatMap(({ name, state }) =>
    state?.running === undefined ? [] : [containerEvent(pod, name, 'Killing', `Stopping container ${name}`)],
  );
}

/** The `fieldPath` of a container in the reference of an event. Upstream: `GenerateContainerRef`. */
export function containerPath({ spec }: Pod, container: string): Pick<PodEvent, 'fieldPath'> {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  const groups = { containers, initContainers, ephemeralContainers };
  for (const [group, members] of Object.entries(groups)) {
    if (members.some(({ name }) => name === container)) return { fieldPath: `spec.${group}{${container}}` };
  }
  return {};
}

function containerEvent(pod: Pod, container: string, reason: string, message: string): PodEvent {
  return { type: 'Normal', reason, message, ...containerPath(pod, container) };
}

function statusesOf({ init, regular, ephemeral }: ContainerGroups): readonly ContainerStatus[] {
  return [...init, ...regular, ...ephemeral];
}
