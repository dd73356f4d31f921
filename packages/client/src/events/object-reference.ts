import type { ObjectReference } from '../kinds/generated/core/v1.js';
import type { TypedObject } from '../typed/index.js';
import type { RecordedEvent } from './event.js';

/** An object of any kind that says its kind, custom ones included; or a reference, to a part of it or to what is not at hand. */
export type EventSubject = TypedObject | ObjectReference;

/** Throws a TypeError for objects that do not say what they are. */
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
