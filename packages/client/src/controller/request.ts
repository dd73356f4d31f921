import { objectKey, splitObjectKey } from '../cache/index.js';
import type { TypedObject } from '../typed/index.js';

/** What to look at: an object, or the place where one was. Why does not count; what is there now does. */
export interface ReconcileRequest {
  /** Undefined for objects without a namespace. */
  readonly namespace: string | undefined;
  readonly name: string;
}

export function requestFor({ metadata }: TypedObject): ReconcileRequest {
  return requestOfKey(objectKey({ metadata }));
}

/** `namespace/name`: two requests with the same key are one. */
export function requestKey(request: ReconcileRequest): string {
  return objectKey({ metadata: request });
}

export function requestOfKey(key: string): ReconcileRequest {
  return splitObjectKey(key);
}
