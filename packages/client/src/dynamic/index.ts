export { applyTransport } from './apply-transport.js';
export { DynamicClient, type DynamicClientOptions, resourceOf } from './dynamic-client.js';
export type { AnyObject } from './object-list.js';
export { ObjectClient, type Scope } from './object-client.js';
export { ResourceClient } from './resource-client.js';
export { type SubresourceBody, SubresourceClient } from './subresource-client.js';
