import type { ListMeta, ObjectMeta } from './object-meta.js';

/** What every object has. */
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

/** Where a resource is served in one of its versions, and, for the compiler alone, the type `T` of its objects. */
export interface ResourceType<T extends TypedObject = TypedObject> {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The name in paths, in lower case. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Never there: from it the compiler infers `T`. */
  readonly object?: T;
}
