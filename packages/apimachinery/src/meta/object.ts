import { deepCopy, type Int64, type JsonObject, type JsonValue } from '../json/index.js';

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
  /** Entries of other objects may share it. */
  fieldsV1?: Readonly<JsonObject>;
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

/**
 * Views a value of an API interface as plain JSON, for code that is driven by schemas. TypeScript cannot infer that an
 * interface holds only JSON.
 */
export function asJson(list: readonly object[]): JsonValue[];
export function asJson(object: object): JsonObject;
export function asJson(value: object): JsonValue {
  return value as JsonValue;
}

/** Views JSON as an object. The caller knows that it has a kind, an apiVersion and metadata. */
export function asObject(document: JsonObject): KubernetesObject {
  return document as unknown as KubernetesObject;
}

/**
 * Views an object through the interface of its kind, which the caller knows and names. The decoder has checked the
 * type of every field. Until the object is validated, a required field may be absent.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it replaces a double cast at each caller
export function asKind<T>(object: Readonly<KubernetesObject>): T;
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as above
export function asKind<T>(object: Readonly<KubernetesObject> | undefined): T | undefined;
export function asKind<T>(object: Readonly<KubernetesObject> | undefined): T | undefined {
  return object as unknown as T | undefined;
}

/** A copy of a value of an API interface, of the same shape. The caller owns it. */
export function copyOf<T extends object>(value: T): T {
  return deepCopy(asJson(value)) as unknown as T;
}
