import type { Int64, JsonObject } from '../json/index.js';

/**
 * The metadata of every object. Upstream: apimachinery `metav1.ObjectMeta`. Times are RFC 3339 in UTC with whole
 * seconds.
 */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: Int64;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: Int64;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}

/**
 * A decoded API object. Its owner may change it; shared objects are passed as `Readonly`. Rules read a kind's own
 * fields through the typed interfaces of `@binnacle/api`; other code reads them as JSON.
 */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** Views the same object as plain JSON, for code that is driven by schemas. */
export function asJson(object: Readonly<KubernetesObject>): JsonObject {
  return object as unknown as JsonObject;
}
