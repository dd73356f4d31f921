import type { Random } from '@binnacle/apimachinery/clock';
import { nameIsDnsSubdomain } from '@binnacle/apimachinery/validation';
import type { Event, EventSource, ObjectReference } from '../kinds/generated/core/v1.js';
import type { ObjectMeta, TypedObject } from '../typed/index.js';

export type EventType = 'Normal' | 'Warning';

/** The component that reports, such as a controller. */
export interface Reporter extends EventSource {
  readonly component: string;
}

/** An Event as recorders create it. Servers delete it after an hour. */
export interface RecordedEvent extends Event {
  readonly metadata: ObjectMeta & { readonly name: string; readonly namespace: string };
  readonly involvedObject: ObjectReference & { readonly kind: string; readonly name: string };
  readonly type: EventType;
  /** One word in CamelCase, for programs: `ScalingReplicaSet`. */
  readonly reason: string;
  readonly message: string;
  readonly source: Reporter;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  /** The number of occurrences between the two. */
  readonly count: number;
}

/** One line: `Warning BackOff Pod shop/web-0: restarting failed container`. */
export function describeEvent({ type, reason, involvedObject, message, count }: RecordedEvent): string {
  const { kind, namespace = '', name } = involvedObject;
  const often = count > 1 ? ` (${count} times)` : '';
  return `${type} ${reason} ${kind} ${namespace === '' ? name : `${namespace}/${name}`}: ${message}${often}`;
}

/** An object of any kind with its `kind`, or a reference to an object or to a part of it. */
export type EventSubject = TypedObject | ObjectReference;

/** Throws a TypeError for objects without kind or name. */
export function referenceTo(subject: EventSubject): RecordedEvent['involvedObject'] {
  const reference = 'metadata' in subject ? referenceOf(subject) : subject;
  const { kind, name } = reference;
  if (!kind || !name) throw new TypeError('an event must be about an object that has a kind, an apiVersion and a name');
  return { ...reference, kind, name };
}

function referenceOf({ apiVersion, kind, metadata }: TypedObject): ObjectReference {
  const { namespace, name = '', uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

/** Equal for events of one source about one object with the same type, and up to `upTo` the same reason and message. */
export function keyOf(event: RecordedEvent, upTo: 'type' | 'reason' | 'message'): string {
  const { source, involvedObject, type, reason, message } = event;
  const { kind, namespace, name, uid, apiVersion, fieldPath } = involvedObject;
  const parts = [source.component, source.host, kind, namespace, name, uid, apiVersion, type];
  if (upTo !== 'type') parts.push(reason);
  if (upTo === 'message') parts.push(fieldPath, message);
  return JSON.stringify(parts);
}

const NANOSECONDS = 1_000_000n;

/**
 * Names of events: the object's name and the time in nanoseconds, like upstream. Clocks give milliseconds, so a random offset for each process and a
 * counter keep the names unique.
 */
export class EventNames {
  readonly #random: Random;
  readonly #offset: bigint;
  #last = 0n;

  constructor(random: Random) {
    this.#random = random;
    this.#offset = BigInt(Math.floor(random.number() * Number(NANOSECONDS)));
  }

  /** `now` is milliseconds since the epoch. Returns a UUID if the object's name is not valid for an event. */
  next(objectName: string, now: number): string {
    const time = BigInt(Math.floor(now)) * NANOSECONDS + this.#offset;
    this.#last = time > this.#last ? time : this.#last + 1n;
    const name = `${objectName}.${this.#last.toString(16)}`;
    return nameIsDnsSubdomain(name, false).length === 0 ? name : this.#random.uuid();
  }
}
