export type { Embedded } from './embedded.js';
export { type Mutable, mutableCopy } from './mutable.js';
export type { ListMeta, ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object-meta.js';
export type { PartialObjectMetadata } from './partial-object-metadata.js';
export type { ObjectList, ResourceType, TypedObject } from './resource-type.js';
