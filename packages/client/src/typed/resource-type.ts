import type { TypedObject } from './objects.js';

/** Identifies a resource in one version, and carries the type `T` of its objects for the compiler. */
export interface ResourceType<T extends TypedObject = TypedObject> {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The resource's name in paths, in lower case. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Never set; the compiler infers `T` from it. */
  readonly object?: T;
}
