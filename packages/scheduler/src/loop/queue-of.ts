import type { Clock } from '@binnacle/apimachinery/clock';
import type { SchedulerConfiguration } from '../config/index.js';
import type { Profile } from '../cycle/index.js';
import { type QueueProfile, SchedulingQueue } from '../queue/index.js';

/** The queue of a scheduler with these profiles. The order of the pods is the same in all of them. */
export function queueOf(
  profiles: ReadonlyMap<string, Profile>,
  { podInitialBackoffMs, podMaxBackoffMs }: SchedulerConfiguration,
  clock: Clock,
): SchedulingQueue {
  const [sort] = [...profiles.values()].flatMap((profile) => profile.with('compare'));
  const ofQueue = new Map(
    [...profiles].map(([name, profile]): [string, QueueProfile] => [
      name,
      { gates: profile.with('preEnqueue'), plugin: (plugin) => profile.plugin(plugin) },
    ]),
  );
  return new SchedulingQueue({
    clock,
    compare: (a, b) => sort?.compare?.(a, b) ?? 0,
    profileOf: ({ schedulerName }) => ofQueue.get(schedulerName),
    initialBackoff: podInitialBackoffMs,
    longestBackoff: podMaxBackoffMs,
  });
}
