import type { ContainerState, ContainerStatus, Pod, PodCondition, PodTemplate } from '../generated/types/core-v1.js';
import { containerColumns, nameColumn, ageColumn, text, wide } from './column.js';
import { containerCells, formatLabels } from './format.js';
import {
  ageOf,
  nameOf,
  type PrintContext,
  printer,
  type PrinterEntry,
  type RowCondition,
  timeSince,
} from './printer.js';

const podColumns = [
  nameColumn,
  text('Ready', 'Containers that are ready, of all.'),
  text('Status', 'What the pod is doing, or what keeps it from it.'),
  text('Restarts', 'How often its containers were restarted, and when last.'),
  ageColumn,
  wide(text('IP', 'Address of the pod.')),
  wide(text('Node', 'Node that the pod is bound to.')),
  wide(text('Nominated Node', 'Node on which room is being made for the pod.')),
  wide(text('Readiness Gates', 'Conditions outside the pod that are met, of all that it waits for.')),
];

/** Totals and the reason, collected while walking the containers of a pod. */
interface Tally {
  reason: string;
  ready: number;
  restarts: number;
  /** Milliseconds since the epoch; 0: never. */
  lastRestart: number;
}

/** Upstream: `printPod`. */
function printPod(pod: Pod, context: PrintContext): string[] {
  const status = pod.status ?? {};
  const conditions = status.conditions ?? [];
  const sidecars = sidecarNames(pod);
  const tally: Tally = { reason: status.reason || status.phase || '', ready: 0, restarts: 0, lastRestart: 0 };
  if (conditions.some((each) => each.type === 'PodScheduled' && each.reason === 'SchedulingGated')) {
    tally.reason = 'SchedulingGated';
  }
  const initializing = tallyInitContainers(pod, sidecars, tally);
  if (!initializing || hasCondition(conditions, 'Initialized')) tallyContainers(pod, sidecars, tally);
  if (pod.metadata?.deletionTimestamp) {
    if (status.reason === 'NodeLost') tally.reason = 'Unknown';
    else if (status.phase !== 'Succeeded' && status.phase !== 'Failed') tally.reason = 'Terminating';
  }
  return [
    nameOf(pod),
    `${tally.ready}/${(pod.spec?.containers ?? []).length + sidecars.size}`,
    tally.reason,
    restartsText(tally, context),
    ageOf(pod, context),
    status.podIPs?.[0]?.ip || '<none>',
    pod.spec?.nodeName || '<none>',
    status.nominatedNodeName || '<none>',
    readinessGates(pod, conditions),
  ];
}

/** Names of the init containers that restart always. */
function sidecarNames(pod: Pod): ReadonlySet<string> {
  const sidecars = (pod.spec?.initContainers ?? []).filter((container) => container.restartPolicy === 'Always');
  return new Set(sidecars.map((container) => container.name));
}

/** Walks init containers up to the first that is not done. Returns whether there is one. */
function tallyInitContainers(pod: Pod, sidecars: ReadonlySet<string>, tally: Tally): boolean {
  const statuses = pod.status?.initContainerStatuses ?? [];
  for (const [index, container] of statuses.entries()) {
    tallyRestarts(container, tally);
    const { terminated, waiting } = container.state ?? {};
    if (terminated && !terminated.exitCode) continue;
    if (sidecars.has(container.name) && container.started) {
      if (container.ready) tally.ready += 1;
      continue;
    }
    if (terminated) tally.reason = `Init:${terminationReason(terminated)}`;
    else if (waiting?.reason && waiting.reason !== 'PodInitializing') tally.reason = `Init:${waiting.reason}`;
    else tally.reason = `Init:${index}/${(pod.spec?.initContainers ?? []).length}`;
    return true;
  }
  return false;
}

/** After initialization, restarts of finished init containers no longer count. */
function tallyContainers(pod: Pod, sidecars: ReadonlySet<string>, tally: Tally): void {
  tally.restarts = 0;
  tally.lastRestart = 0;
  for (const container of walkedInitContainers(pod, sidecars)) {
    if (sidecars.has(container.name)) tallyRestarts(container, tally);
  }
  let running = false;
  for (const container of (pod.status?.containerStatuses ?? []).toReversed()) {
    tallyRestarts(container, tally);
    const state = container.state ?? {};
    if (state.waiting?.reason) tally.reason = state.waiting.reason;
    else if (state.terminated) tally.reason = terminationReason(state.terminated);
    else if (container.ready && state.running) {
      running = true;
      tally.ready += 1;
    }
  }
  if (tally.reason === 'Completed' && running) {
    tally.reason = hasCondition(pod.status?.conditions ?? [], 'Ready') ? 'Running' : 'NotReady';
  }
}

/** The init containers that {@link tallyInitContainers} visits. */
function walkedInitContainers(pod: Pod, sidecars: ReadonlySet<string>): readonly ContainerStatus[] {
  const statuses = pod.status?.initContainerStatuses ?? [];
  const isDone = (status: ContainerStatus) =>
    (status.state?.terminated && !status.state.terminated.exitCode) || (sidecars.has(status.name) && status.started);
  const last = statuses.findIndex((status) => !isDone(status));
  return last < 0 ? statuses : statuses.slice(0, last + 1);
}

function tallyRestarts(container: ContainerStatus, tally: Tally): void {
  tally.restarts += container.restartCount ?? 0;
  const finished = Date.parse(container.lastState?.terminated?.finishedAt ?? '');
  if (finished > tally.lastRestart) tally.lastRestart = finished;
}

function terminationReason(terminated: NonNullable<ContainerState['terminated']>): string {
  if (terminated.reason) return terminated.reason;
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode ?? 0}`;
}

function restartsText(tally: Tally, context: PrintContext): string {
  if (tally.restarts === 0 || tally.lastRestart === 0) return String(tally.restarts);
  return `${tally.restarts} (${timeSince(new Date(tally.lastRestart).toISOString(), context)} ago)`;
}

function readinessGates(pod: Pod, conditions: readonly PodCondition[]): string {
  const gates = pod.spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  return `${gates.filter((gate) => hasCondition(conditions, gate.conditionType)).length}/${gates.length}`;
}

/** Only the first condition of the type counts. */
function hasCondition(conditions: readonly PodCondition[], type: string): boolean {
  return conditions.find((condition) => condition.type === type)?.status === 'True';
}

const completed: Readonly<Record<string, readonly RowCondition[]>> = {
  Succeeded: [rowCompleted('Succeeded', 'The pod has completed successfully.')],
  Failed: [rowCompleted('Failed', 'The pod failed.')],
};

function rowCompleted(reason: string, message: string): RowCondition {
  return { type: 'Completed', status: 'True', reason, message };
}

function printPodTemplate(object: PodTemplate): string[] {
  const { template } = object;
  return [nameOf(object), ...containerCells(template?.spec?.containers), formatLabels(template?.metadata?.labels)];
}

export const podPrinters: readonly PrinterEntry[] = [
  printer('/Pod', podColumns, printPod, {
    rowConditions: (object) => {
      const phase = (object as Pod).status?.phase ?? '';
      return (Object.hasOwn(completed, phase) ? completed[phase] : undefined) ?? [];
    },
  }),
  printer(
    '/PodTemplate',
    [
      nameColumn,
      ...containerColumns.map((column) => ({ ...column, priority: 0 })),
      text('Pod Labels', 'Labels of the pods that are made from the template.'),
    ],
    printPodTemplate,
  ),
];
