import type { TypedObject } from './resource-type.js';

/** An object that stands in a field of another, where nobody is made to name its kind. */
export type Embedded<T extends TypedObject> = Omit<T, 'apiVersion' | 'kind'> & Partial<Pick<T, 'apiVersion' | 'kind'>>;
