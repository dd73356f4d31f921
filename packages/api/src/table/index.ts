export { type ComparedType, fieldNamed, typeNamed, typeOfKind } from './compared.js';
export { deprecationWarning } from './deprecation.js';
export { definitionOfKind, kindSchema, listSchema } from './kinds.js';
export {
  type ColumnFacts,
  type GroupFacts,
  type ResourceFacts,
  type Stability,
  type SubresourceFacts,
  subresourceKind,
  type Verb,
  type VersionFacts,
} from './resource-facts.js';
export { groups, resourceFacts, resourceOfKind, resources } from './resources.js';
export { kubernetesVersion } from './rows.js';
export { RuntimeConfigError, resolveRuntimeConfig } from './runtime-config.js';
export { definitionNames, hasDefinition, isPublished, publishedKinds, schemaOf } from './schema.js';
export type { ServedGroup, ServedSet } from './served-set.js';
export { STORAGE_PREFIX, storedPrefix } from './stored-prefix.js';
