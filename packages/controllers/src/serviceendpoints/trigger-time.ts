import { Pace, type Steps } from '@binnacle/apimachinery/work';
import { objectKey } from '@binnacle/client/cache';
import type { ReconcileRequest } from '@binnacle/client/controller';
import type { Pod, Service } from '@binnacle/client/kinds/core/v1';

/** When the change happened that led to the endpoints; users measure latency by it. Upstream: `EndpointsLastChangeTriggerTime`. */
export const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';

/** Counted over all services, because many with few pods may be reconciled in a row. */
const PODS_PER_STEP = 500;

/** What the last reconcile of a service saw. Times are as the API writes them, which compare as text. */
interface TriggerState {
  readonly service: string;
  /** By the name of the pod. Changed in place, and may hold pods that are gone: a new pod of the same name has a newer time. */
  readonly pods: Map<string, string>;
}

interface TriggerTime {
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
  pace: Pace,
): Steps<TriggerTime> {
  const service = metadata.creationTimestamp ?? '';
  const times = before?.pods ?? new Map<string, string>();
  const state = { service, pods: times };
  let fresh = before !== undefined && service > before.service ? service : undefined;
  for (const pod of pods) {
    if (pace.endsStep()) yield;
    const { name = '' } = pod.metadata;
    const time = pod.status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
    if (time === undefined) continue;
    const known = times.get(name) ?? '';
    if (time > known) fresh = earlier(fresh, time);
    if (time !== known) times.set(name, time);
  }
  if (times.size > 2 * pods.length) forgetOthers(times, pods);
  if (before === undefined) return { time: service === '' ? undefined : service, state };
  return { time: fresh, state };
}

function forgetOthers(times: Map<string, string>, pods: readonly Pod[]): void {
  const present = new Set(pods.map(({ metadata }) => metadata.name));
  for (const name of times.keys()) if (!present.has(name)) times.delete(name);
}

/** The trigger times of all services. In memory only: after a restart, a service begins with its creation. */
export class TriggerTimes {
  readonly #states = new Map<string, TriggerState>();
  readonly #pace = new Pace(PODS_PER_STEP);

  /** Call it in each reconcile of a service, also in one that writes nothing. */
  *next(service: Service, pods: readonly Pod[]): Steps<string | undefined> {
    const key = objectKey(service);
    const { time, state } = yield* triggerTime(this.#states.get(key), service, pods, this.#pace);
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
