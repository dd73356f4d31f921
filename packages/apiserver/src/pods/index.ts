export { bindingHandler, collectionBindingHandler } from './binding.js';
export { evictionHandler } from './eviction.js';
