export { bindingHandler, collectionBindingHandler } from './binding.js';
export { evictionHandler } from './eviction.js';
export { nodeProxy, podProxy, serviceProxy } from './proxy.js';
export { podStream } from './streams.js';
