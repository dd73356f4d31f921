import { getOwn, isObject } from '@binnacle/apimachinery/json';
import { asKind, asObject, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { type Status, StatusError } from '@binnacle/apimachinery/status';
import { UnexpectedResponseError } from './responses.js';
import { type Format, jsonFormat } from './encoding.js';

/** One change. A BOOKMARK carries the version up to which all changes have been sent. */
export interface WatchEvent<T = KubernetesObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  /** The object after the change, or its last state for DELETED. A BOOKMARK has only a `resourceVersion` and annotations. */
  readonly object: T;
}

/** Decodes one frame of a watch; in JSON a frame is a line. Throws the {@link StatusError} of an ERROR, and an {@link UnexpectedResponseError}. */
export function decodeWatchEvent<T = KubernetesObject>(frame: Uint8Array, format: Format = jsonFormat): WatchEvent<T> {
  const event = tryDecode(format, frame);
  const type = isObject(event) ? getOwn(event, 'type') : undefined;
  const object = isObject(event) ? getOwn(event, 'object') : undefined;
  if (isObject(object)) {
    switch (type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
      case 'BOOKMARK':
        return { type, object: object as T };
      case 'ERROR':
        throw new StatusError(asKind<Status>(asObject(object)));
      default:
    }
  }
  throw new UnexpectedResponseError(`a watch frame is not an event: ${Buffer.from(frame.subarray(0, 200)).toString()}`);
}

function tryDecode(format: Format, frame: Uint8Array) {
  try {
    return format.decodeEvent(frame);
  } catch (error) {
    if (error instanceof UnexpectedResponseError) throw error;
    return undefined;
  }
}

/** Whether this is the bookmark that ends the initial events of `sendInitialEvents`. */
export function endsInitialEvents(event: WatchEvent<object>): boolean {
  if (event.type !== 'BOOKMARK') return false;
  const { metadata } = event.object as Partial<KubernetesObject>;
  return metadata?.annotations?.['k8s.io/initial-events-end'] === 'true';
}
