import { getOwn, isObject, readJson } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { type Status, StatusError } from '@binnacle/apimachinery/status';
import { UnexpectedAnswerError } from './answers.js';

/** One change, or with BOOKMARK the version up to which all changes have been told. */
export interface WatchEvent<T = KubernetesObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  /** As it is after the change; with DELETED, as it was last. With BOOKMARK, nothing but a `resourceVersion` and annotations. */
  readonly object: T;
}

/** Reads one line of a watch. Throws the {@link StatusError} of an ERROR, and an {@link UnexpectedAnswerError}. */
export function decodeWatchEvent<T = KubernetesObject>(line: Uint8Array): WatchEvent<T> {
  const event = parse(line);
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
        throw new StatusError(object as unknown as Status);
      default:
    }
  }
  throw new UnexpectedAnswerError(`a line of a watch is no event: ${Buffer.from(line.subarray(0, 200)).toString()}`);
}

function parse(line: Uint8Array) {
  try {
    return readJson(line);
  } catch {
    return undefined;
  }
}

/** Is this the bookmark that ends what a watch with `sendInitialEvents` begins with? */
export function endsInitialEvents(event: WatchEvent<object>): boolean {
  if (event.type !== 'BOOKMARK') return false;
  const { metadata } = event.object as Partial<KubernetesObject>;
  return metadata?.annotations?.['k8s.io/initial-events-end'] === 'true';
}
