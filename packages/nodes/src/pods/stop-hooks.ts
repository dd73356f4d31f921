import type { Container, ContainerStatus, Pod } from '@binnacle/client/kinds/core/v1';
import { sleepOf } from './command-end.js';
import { timeIn } from './time-in.js';

/**
 * When the `preStop` hooks of a pod that is being deleted are over, in milliseconds since the epoch; 0: they take no time. Only hooks of running
 * containers count. A hook that sleeps, by `sleep` or by a command, takes that time, but no longer than the grace period. All others take none.
 */
export function stopHooksEnd({ metadata, spec }: Pod, statuses: readonly ContainerStatus[]): number {
  const running = new Set(statuses.filter(({ state }) => state?.running !== undefined).map(({ name }) => name));
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const longest = Math.max(0, ...containers.filter(({ name }) => running.has(name)).map(hookTime));
  if (longest === 0) return 0;
  const grace = (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  return timeIn(metadata.deletionTimestamp, 0) - grace + Math.min(grace, longest);
}

function hookTime({ lifecycle }: Container): number {
  const { sleep, exec } = lifecycle?.preStop ?? {};
  return sleep === undefined ? (sleepOf(exec?.command ?? []) ?? 0) : sleep.seconds * 1000;
}
