import { objectKey, splitObjectKey } from '../cache/index.js';

/** The name of an object to reconcile. It does not say what happened to the object, which may be deleted. */
export interface ReconcileRequest {
  /** Undefined for cluster-scoped objects. */
  readonly namespace: string | undefined;
  readonly name: string;
}

/** Undefined waits for the next change. `requeueAfter` also reconciles again after that many milliseconds. */
export type ReconcileResult = { readonly requeueAfter: number } | undefined;

/** `namespace/name`, the queue's key of a request. */
export function requestKey(request: ReconcileRequest): string {
  return objectKey({ metadata: request });
}

export function requestOfKey(key: string): ReconcileRequest {
  return splitObjectKey(key);
}
