import type { Container, ContainerStatus, PodSpec, PodStatus } from '@binnacle/client/kinds/core/v1';
import { restarts } from './restart-policy.js';

export type Phase = NonNullable<PodStatus['phase']>;
export type Statuses = ReadonlyMap<string, ContainerStatus>;

export const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

/** The phase that follows from the containers. `isEnding`: none of them will start again. Upstream: `getPhase`. */
export function phaseOf(spec: PodSpec, statuses: Statuses, isEnding: boolean): Phase {
  const { containers, initContainers = [] } = spec;
  const sidecars = initContainers.filter(isSidecar);
  const steps = initContainers
    .filter((container) => !isSidecar(container))
    .map((each) => initState(each, spec, statuses));
  if (steps.includes('failed')) return 'Failed';
  const states = containers.map((container) => stateOf(statuses.get(container.name)));
  const hasStarted = states.some((state) => state === 'running' || state === 'stopped');
  const isPreparing = sidecars.some(({ name }) => isStarting(statuses.get(name)));
  if (steps.includes('pending') || (isPreparing && !hasStarted)) return 'Pending';
  if (states.includes('waiting') || states.includes('unknown')) return 'Pending';
  const areSidecarsRunning = sidecars.some(({ name }) => stateOf(statuses.get(name)) === 'running');
  if (areSidecarsRunning || states.includes('running')) return 'Running';
  const codes = containers.map((container) => exitCodeOf(statuses.get(container.name)));
  const willRestart = containers.some((container, index) => restarts(container, spec, codes[index] ?? 0));
  if (!isEnding && willRestart) return 'Running';
  return codes.every((code) => code === 0) ? 'Succeeded' : 'Failed';
}

function initState(container: Container, spec: PodSpec, statuses: Statuses): 'pending' | 'done' | 'failed' {
  const status = statuses.get(container.name);
  if (stateOf(status) !== 'stopped') return 'pending';
  const code = exitCodeOf(status);
  return code !== 0 && !restarts(container, spec, code) ? 'failed' : 'done';
}

/** A container that waits for its next start counts as stopped. */
function stateOf(status: ContainerStatus | undefined): 'running' | 'stopped' | 'waiting' | 'unknown' {
  if (status?.state === undefined) return 'unknown';
  const { running, terminated, waiting } = status.state;
  if (running !== undefined) return 'running';
  if (terminated !== undefined) return 'stopped';
  if (waiting === undefined) return 'unknown';
  return status.lastState?.terminated === undefined ? 'waiting' : 'stopped';
}

/** A sidecar holds the pod back until it has started once. */
function isStarting(status: ContainerStatus | undefined): boolean {
  const state = stateOf(status);
  return state === 'running' ? status?.started !== true : state !== 'stopped';
}

const exitCodeOf = (status: ContainerStatus | undefined): number =>
  (status?.state?.terminated ?? status?.lastState?.terminated)?.exitCode ?? 0;
