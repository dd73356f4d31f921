import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type { MetaDocument } from './encoding.js';

/** An object's metadata alone. Upstream: `metav1.PartialObjectMetadata`. */
export function partialObjectMetadata(object: Readonly<KubernetesObject>, version: string): MetaDocument {
  const { metadata } = asJson(object);
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: metadata ?? {} };
}
