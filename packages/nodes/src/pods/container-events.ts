import type { ContainerStatus, Pod, PodSpec } from '@binnacle/client/kinds/core/v1';
import type { ContainerGroups } from './container-steps.js';
import { CONFIG_ERROR, NO_IMAGE } from './holds.js';
import type { PodEvent } from './pod-event.js';

/** A recorder writes at most 25 events of an object at once, and drops further ones. */
const MOST_EVENTS = 100;

/** The events of many containers. Those of later ones are left out beyond a limit. */
export function firstEvents<T>(items: readonly T[], eventsOf: (item: T, index: number) => readonly PodEvent[]) {
  const events: PodEvent[] = [];
  for (const [index, item] of items.entries()) {
    if (events.length >= MOST_EVENTS) break;
    events.push(...eventsOf(item, index));
  }
  return events;
}

/** The events of containers that have started since `before`. Upstream: `pkg/kubelet/kuberuntime` and `images`. */
export function startEvents(pod: Pod, before: ContainerGroups, after: ContainerGroups): readonly PodEvent[] {
  const old = statusesOf(before);
  return firstEvents(statusesOf(after), (status, index) => {
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
  return firstEvents(statusesOf(after), ({ name, state }, index) => {
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
  return firstEvents(statusesOf(before), ({ name, state }) =>
    state?.running === undefined ? [] : [containerEvent(pod, name, 'Killing', `Stopping container ${name}`)],
  );
}

/** The `fieldPath` of a container in the reference of an event. Upstream: `GenerateContainerRef`. */
export function containerPath({ spec }: Pod, container: string): Pick<PodEvent, 'fieldPath'> {
  const fieldPath = spec === undefined ? undefined : pathsIn(spec).get(container);
  return fieldPath === undefined ? {} : { fieldPath };
}

/** A search for each container would take quadratic time. */
const pathsBySpec = new WeakMap<PodSpec, ReadonlyMap<string, string>>();

function pathsIn(spec: PodSpec): ReadonlyMap<string, string> {
  const known = pathsBySpec.get(spec);
  if (known !== undefined) return known;
  const { containers, initContainers, ephemeralContainers } = spec;
  const groups = { containers, initContainers, ephemeralContainers };
  const paths = new Map<string, string>();
  for (const [group, members = []] of Object.entries(groups)) {
    for (const { name } of members) paths.set(name, `spec.${group}{${name}}`);
  }
  pathsBySpec.set(spec, paths);
  return paths;
}

function containerEvent(pod: Pod, container: string, reason: string, message: string): PodEvent {
  return { type: 'Normal', reason, message, ...containerPath(pod, container) };
}

function statusesOf({ init, regular, ephemeral }: ContainerGroups): readonly ContainerStatus[] {
  return [...init, ...regular, ...ephemeral];
}
