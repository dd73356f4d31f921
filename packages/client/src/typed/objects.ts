/** The fields that every object has. */
export interface TypedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

export interface ObjectList<T> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ListMeta;
  readonly items: readonly T[];
}

/** An object in a field of another one, where apiVersion and kind are optional. */
export type Embedded<T extends TypedObject> = Omit<T, 'apiVersion' | 'kind'> & Partial<Pick<T, 'apiVersion' | 'kind'>>;

/** The metadata of an object of any kind. Upstream: apimachinery `metav1.PartialObjectMetadata`. */
export interface PartialObjectMetadata extends TypedObject {
  readonly apiVersion: 'meta.k8s.io/v1';
  readonly kind: 'PartialObjectMetadata';
}

/** `metadata` of an object. Times are RFC 3339 strings in UTC, whole seconds. Upstream: apimachinery `metav1.ObjectMeta`. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string | null;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: 'Apply' | 'Update';
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: { readonly [key: string]: unknown };
  readonly subresource?: string;
}

/** `metadata` of a list. */
export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** The type without `readonly`, at any depth. */
export type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;

/** A deep copy that the caller may change. */
export function mutableCopy<T>(object: T): Mutable<T> {
  return structuredClone(object) as Mutable<T>;
}
