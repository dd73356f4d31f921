export type { KmsObserver } from './observer.js';
export { type Plugin, PluginClient } from './plugin-client.js';
export { KmsProvider } from './provider.js';
