import type { Event, EventSource, ObjectReference } from '../kinds/generated/core/v1.js';
import type { ObjectMeta } from '../typed/index.js';

export type EventType = 'Normal' | 'Warning';

/** Who reports. Of a controller: its name. */
export interface Reporter extends EventSource {
  readonly component: string;
}

/** An event as recorders make it: something that happened to an object, for people who look at it. Servers keep it for an hour. */
export interface RecordedEvent extends Event {
  readonly metadata: ObjectMeta & { readonly name: string; readonly namespace: string };
  readonly involvedObject: ObjectReference & { readonly kind: string; readonly name: string };
  readonly type: EventType;
  /** Short and in CamelCase, for programs: `ScalingReplicaSet`. */
  readonly reason: string;
  /** For people. */
  readonly message: string;
  readonly source: Reporter;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  /** How often it happened between the two. */
  readonly count: number;
}

/** One line for people: `Warning BackOff Pod shop/web-0: restarting failed container`. */
export function describeEvent({ type, reason, involvedObject, message, count }: RecordedEvent): string {
  const { kind, namespace = '', name } = involvedObject;
  const often = count > 1 ? ` (${count} times)` : '';
  return `${type} ${reason} ${kind} ${namespace === '' ? name : `${namespace}/${name}`}: ${message}${often}`;
}
