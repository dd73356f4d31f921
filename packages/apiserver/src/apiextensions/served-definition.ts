import { asKind } from '@binnacle/apimachinery/meta';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersion,
} from '@binnacle/api/types/apiextensions-v1';
import type { StoredObject } from '../storage/index.js';
import { CUSTOM_RESOURCE_CLEANUP, isConditionTrue } from '../resources/index.js';

/** The parts of a version that requests and discovery need. */
export type ServedVersion = Pick<
  CustomResourceDefinitionVersion,
  'name' | 'served' | 'storage' | 'deprecated' | 'deprecationWarning'
> & { readonly hasStatus: boolean; readonly hasScale: boolean };

/**
 * A definition's summary. The schemas are large and seldom needed: they stay in the stored bytes, which the cache
 * holds anyway.
 */
export interface ServedDefinition {
  readonly name: string;
  readonly uid: string;
  readonly stored: StoredObject;
  /** Changes with everything that affects objects, paths or documents. */
  readonly identity: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly versions: readonly ServedVersion[];
  readonly acceptedNames: CustomResourceDefinitionNames;
  readonly namesAccepted: boolean;
  readonly established: boolean;
  readonly terminating: boolean;
  /** Whether the definition is being deleted, after its objects. */
  readonly cleanup: boolean;
}

export function decodeDefinition(stored: StoredObject): CustomResourceDefinition {
  return asKind<CustomResourceDefinition>(stored.decode());
}

export function servedDefinition(stored: StoredObject): ServedDefinition {
  const definition = decodeDefinition(stored);
  const { metadata = {}, spec, status } = definition;
  const acceptedNames = status?.acceptedNames ?? { plural: '', kind: '' };
  const deleted = metadata.deletionTimestamp !== undefined;
  const { uid = '', generation = 0 } = metadata;
  return {
    name: metadata.name ?? '',
    uid,
    stored,
    identity: JSON.stringify([uid, String(generation), acceptedNames]),
    group: spec.group,
    kind: spec.names.kind,
    plural: spec.names.plural,
    namespaced: spec.scope === 'Namespaced',
    versions: (spec.versions ?? []).map(servedVersion),
    acceptedNames,
    namesAccepted: isConditionTrue(definition, 'NamesAccepted'),
    established: isConditionTrue(definition, 'Established'),
    terminating: deleted || isConditionTrue(definition, 'Terminating'),
    cleanup: deleted && (metadata.finalizers ?? []).includes(CUSTOM_RESOURCE_CLEANUP),
  };
}

function servedVersion(version: CustomResourceDefinitionVersion): ServedVersion {
  const { name, served, storage, deprecated, deprecationWarning, subresources } = version;
  return {
    name,
    served,
    storage,
    deprecated,
    deprecationWarning,
    hasStatus: subresources?.status !== undefined,
    hasScale: subresources?.scale !== undefined,
  };
}
