export { type ConnectHandlers, connectHandlers, type ConnectHandlersOptions } from './connect-handlers.js';
export type { KubeletTrust } from './connections.js';
export type { KubeletAddressing } from './kubelet-address.js';
