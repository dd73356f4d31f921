import { Pace, type Steps } from '@binnacle/apimachinery/work';
import { objectKey } from '@binnacle/client/cache';
import type { ReconcileRequest } from '@binnacle/client/controller';
import type { Pod, Service } from '@binnacle/client/kinds/core/v1';

/** When the change happened that led to the endpoints; users measure latency by it. Upstream: `EndpointsLastChangeTriggerTime`. */
export const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';

const PODS_PER_STEP = 5000;

/** What the last reconcile of a service saw. Times are as the API writes them, which compare as text. */
export interface TriggerState {
  readonly service: string;
  readonly pods: ReadonlyMap<string, string>;
}

export interface TriggerTime {
  /** Undefined if no time is newer than at the last reconcile. */
  readonly time: string | undefined;
  /** For the next reconcile. */
  readonly state: TriggerState;
}

/**
 * The earliest of the times that are new since the last reconcile: when the service was created, or when a pod's readiness changed. The first
 * reconcile of a service takes its creation. Upstream: `TriggerTimeTracker`.
 */
function* triggerTime(
  before: TriggerState | undefined,
  { metadata }: Service,
  pods: readonly Pod[],
): Steps<TriggerTime> {
  const service = metadata.creationTimestamp ?? '';
  const times = new Map<string, string>();
  const state = { service, pods: times };
  const pace = new Pace(PODS_PER_STEP);
  let fresh = before !== undefined && service > before.service ? service : undefined;
  for (const pod of pods) {
    if (pace.endsStep()) yield;
    const { name = '' } = pod.metadata;
    const time = pod.status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
    if (time === undefined) continue;
    times.set(name, time);
    if (time > (before?.pods.get(name) ?? '')) fresh = earlier(fresh, time);
  }
  if (before === undefined) return { time: service === '' ? undefined : service, state };
  return { time: fresh, state };
}

/** The trigger times of all services. In memory only: after a restart, a service begins with its creation. */
export class TriggerTimes {
  readonly #states = new Map<string, TriggerState>();

  /** Call it in each reconcile of a service, also in one that writes nothing. */
  *next(service: Service, pods: readonly Pod[]): Steps<string | undefined> {
    const key = objectKey(service);
    const { time, state } = yield* triggerTime(this.#states.get(key), service, pods);
    this.#states.set(key, state);
    return time;
  }

  /** For a service that is gone. */
  forget(metadata: ReconcileRequest): void {
    this.#states.delete(objectKey({ metadata }));
  }
}

/** The annotations with the time, or without any if there is none. */
export function withTriggerTime(
  annotations: { readonly [key: string]: string } | undefined,
  time: string | undefined,
): { readonly [key: string]: string } {
  const { [TRIGGER_TIME]: _, ...others } = annotations ?? {};
  return time === undefined ? others : { ...others, [TRIGGER_TIME]: time };
}

function earlier(least: string | undefined, time: string): string {
  return least === undefined || time < least ? time : least;
}
