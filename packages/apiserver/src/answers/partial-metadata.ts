import type { JsonObject } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';

/** An object's metadata alone. Upstream: `metav1.PartialObjectMetadata`. */
export function partialObjectMetadata(object: Readonly<KubernetesObject>, version: string): JsonObject {
  const { metadata } = asJson(object);
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: metadata ?? {} };
}
