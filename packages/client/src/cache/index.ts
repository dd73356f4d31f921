export { VersionRegressedError } from './failures.js';
export { type IndexFunction, Indexer, Lister, objectKey, splitObjectKey } from './indexer.js';
export { NotSyncedError } from './informer-selection.js';
export { type ObjectSink, type ObjectSource, Reflector, type ReflectorOptions } from './reflector.js';
export { type InformerHandler, type InformerOptions, SharedInformer } from './shared-informer.js';
export {
  type InformerFactoryOptions,
  SharedInformerFactory,
  type SharedInformerOptions,
} from './shared-informer-factory.js';
export {
  initialState,
  type ReflectorEvent,
  type ReflectorFailure,
  type ReflectorPhase,
  type ReflectorState,
  transition,
} from './state.js';
export { withoutManagedFields } from './without-managed-fields.js';
