import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import type { AdmissionAttributes } from '../admission/index.js';

/** The objects of a request as JSON, in the version that a webhook asked for. */
export interface ReviewedObjects {
  readonly object: Uint8Array | undefined;
  readonly oldObject: Uint8Array | undefined;
}

export async function reviewedObjects(
  { object, oldObject, versions }: AdmissionAttributes,
  kind: GroupVersionKind,
): Promise<ReviewedObjects> {
  return {
    object: object === undefined ? undefined : await versions.encode(object, kind),
    oldObject: oldObject === undefined ? undefined : await versions.encode(oldObject, kind),
  };
}
