import type { TypedObject } from './resource-type.js';

/** An object of any kind without all but its metadata. Upstream: apimachinery `metav1.PartialObjectMetadata`. */
export interface PartialObjectMetadata extends TypedObject {
  readonly apiVersion: 'meta.k8s.io/v1';
  readonly kind: 'PartialObjectMetadata';
}
