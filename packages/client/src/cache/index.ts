export { type IndexFunction, Indexer } from './indexer.js';
export { Lister } from './lister.js';
export { NotSyncedError } from './not-synced-error.js';
export { objectKey, splitObjectKey } from './object-key.js';
export { Reflector, type ReflectorOptions } from './reflector.js';
export { type InformerHandler, type InformerOptions, SharedInformer } from './shared-informer.js';
export {
  type InformerFactoryOptions,
  SharedInformerFactory,
  type SharedInformerOptions,
} from './shared-informer-factory.js';
export { WentBackError } from './went-back-error.js';
export type { ObjectSink, ObjectSource } from './source.js';
export {
  initialState,
  type ReflectorEvent,
  type ReflectorFailure,
  type ReflectorPhase,
  type ReflectorState,
  transition,
} from './state.js';
