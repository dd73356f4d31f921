import type { Int64, JsonObject } from '../json/index.js';

/** metadata of every object. Upstream: apimachinery `metav1.ObjectMeta`. Times are RFC 3339 text in UTC, whole seconds. */
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
 * Any object of the API, decoded. Its owner may change it; what is shared is passed as `Readonly`. The kinds' own fields
 * are reached through the typed interfaces of `@binnacle/api` where rules are written, and as JSON elsewhere.
 */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** The same object seen as plain JSON, for the schema-driven rooms. */
export function asJson(object: Readonly<KubernetesObject>): JsonObject {
  return object as unknown as JsonObject;
}
