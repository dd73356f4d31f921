export {
  type Embedded,
  type ListMeta,
  type ManagedFieldsEntry,
  type Mutable,
  mutableCopy,
  type ObjectList,
  type ObjectMeta,
  type OwnerReference,
  type PartialObjectMetadata,
  type TypedObject,
} from './objects.js';
export type { ResourceType } from './resource-type.js';
