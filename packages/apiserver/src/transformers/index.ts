export { cbc, gcm, seededGcm } from './aes.js';
export { identity } from './identity.js';
export {
  Prefixed,
  type PrefixedOptions,
  type PrefixedTransformer,
  type TransformationObserver,
  type TransformationType,
} from './prefixed.js';
export { secretbox } from './secretbox.js';
export { type ReadValue, type Transformer, TransformError, type ValueContext } from './transformer.js';
