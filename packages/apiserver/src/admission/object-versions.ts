import type { GroupVersionKind, GroupVersionResource, KubernetesObject } from '@binnacle/apimachinery/meta';
import type { JsonObject } from '@binnacle/apimachinery/json';

/** A resource in a version, and the kind of the objects that its path shows. */
export interface VersionedResource {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/**
 * The objects of a request as webhooks and policies see them: in the version that each asks for. Plugins hold objects
 * in the storage version; for the subresource scale that is the workload, shown as a Scale. Upstream: apiserver `admission.ConvertToGVK`.
 */
export interface ObjectVersions {
  /** The resources that serve the same objects through the same subresource, the request's own included. */
  equivalents(): readonly VersionedResource[];
  /** The object as JSON in `kind`, one of {@link equivalents}, in upstream's field order. Throws if it cannot convert. */
  encode(object: Readonly<KubernetesObject>, kind: GroupVersionKind): Uint8Array | Promise<Uint8Array>;
  /** The document of {@link encode} as a value. It shares parts with the object, so neither may change. */
  document(object: Readonly<KubernetesObject>, kind: GroupVersionKind): JsonObject | Promise<JsonObject>;
  /**
   * Reads a changed {@link document}, sets its defaults, and returns it in the form of `base`, which is the
   * object that it shows. Throws StatusError 500 for a document of another kind or with a value of the wrong type.
   */
  decode(
    document: JsonObject,
    kind: GroupVersionKind,
    base: Readonly<KubernetesObject>,
  ): KubernetesObject | Promise<KubernetesObject>;
}
