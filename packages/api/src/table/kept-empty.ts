import type { StructSchema } from '@binnacle/apimachinery/schema';

const resourceSlice = ['devices', 'sharedCounters'];
const fields: Readonly<Record<string, readonly string[]>> = {
  'io.k8s.api.autoscaling.v2.HPAScalingRules': ['policies'],
  'io.k8s.api.core.v1.ConfigMap': ['binaryData'],
  'io.k8s.api.core.v1.PodSpec': ['overhead'],
  'io.k8s.api.core.v1.Secret': ['data'],
  'io.k8s.api.networking.v1.NetworkPolicySpec': ['ingress', 'egress', 'policyTypes'],
  'io.k8s.api.resource.v1.ResourceSliceSpec': resourceSlice,
  'io.k8s.api.resource.v1beta1.ResourceSliceSpec': resourceSlice,
  'io.k8s.api.resource.v1beta2.ResourceSliceSpec': resourceSlice,
};

/**
 * Lists and maps that are kept in a decoded object when a request has them empty, because upstream's rules tell an empty
 * one from none: they default it, compare it as Go's `reflect.DeepEqual` does, or quote it. A stored object has neither.
 */
export function keepsEmpty(definition: string, field: string): boolean {
  return Object.hasOwn(fields, definition) && fields[definition]?.includes(field) === true;
}

/** The metadata of a pod template, whose labels errors quote. Those of other objects are dropped when they are empty. */
export function templateMetadata(metadata: StructSchema): StructSchema {
  const kept = metadata.fields.map((field) => (field.name === 'labels' ? { ...field, keepsEmpty: true } : field));
  return { ...metadata, fields: kept, byName: new Map(kept.map((field) => [field.name, field])) };
}
