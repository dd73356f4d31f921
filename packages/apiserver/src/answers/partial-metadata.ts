import { stringifyJson } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type { StoredObject } from '../storage/index.js';
import type { MetaDocument, MetaVersion, Presentation } from './encoding.js';

const headOf = (version: MetaVersion): Buffer =>
  Buffer.from(`{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":`);
const heads: Readonly<Record<MetaVersion, Buffer>> = { v1: headOf('v1'), v1beta1: headOf('v1beta1') };
const END = Buffer.from('}');

/** An object's metadata. Upstream: `metav1.PartialObjectMetadata`. */
export function partialObjectMetadata(object: Readonly<KubernetesObject>, version: string): MetaDocument {
  const { metadata } = asJson(object);
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: metadata ?? {} };
}

/** Partial metadata as JSON. An object stored in the requested form need not be decoded. */
export function partialMetadataJson(view: Presentation, stored: StoredObject, version: MetaVersion): Uint8Array {
  if (!view.isStoredForm) return Buffer.from(stringifyJson(partialObjectMetadata(view.show(stored), version)));
  return Buffer.concat([heads[version], stored.metadataJson(), END]);
}
