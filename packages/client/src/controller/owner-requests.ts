import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import type { OwnerReference, ResourceType, TypedObject } from '../typed/index.js';
import { controllerOf } from './owner-references.js';
import type { ReconcileRequest } from './request.js';

/** The owner that controls the object, if it is of the given kind, in any version; else nothing. */
export function ownerRequests(owner: ResourceType, object: TypedObject): ReconcileRequest[] {
  const reference = controllerOf(object);
  if (reference === undefined || !isOfKind(reference, owner)) return [];
  return [{ namespace: owner.namespaced ? object.metadata.namespace : undefined, name: reference.name }];
}

function isOfKind(reference: OwnerReference, { group, kind }: ResourceType): boolean {
  return reference.kind === kind && parseGroupVersion(reference.apiVersion)?.group === group;
}
