import type { OwnerReference, TypedObject } from '@binnacle/client/typed';

/** Makes `owner` the controller of an object. Upstream: `metav1.NewControllerRef`. */
export function controllerReference({ apiVersion, kind, metadata }: TypedObject): OwnerReference {
  const { name = '', uid = '' } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
