import type { KubernetesObject } from '../meta/index.js';
import { semanticEqual } from './semantic-equal.js';

/**
 * Whether an update changes only the fields that garbage collection needs to delete the object. Upstream:
 * `pkg/registry/rbac` IsOnlyMutatingGCFields.
 */
export function isOnlyGarbageCollection(
  object: Readonly<KubernetesObject>,
  old: Readonly<KubernetesObject> | undefined,
): boolean {
  if (old === undefined) return false;
  const { ownerReferences, finalizers, selfLink, managedFields } = old.metadata;
  const metadata = { ...object.metadata, ownerReferences, finalizers, selfLink, managedFields };
  return semanticEqual({ ...object, metadata }, old);
}
