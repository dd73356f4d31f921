export {
  type ExtensionDefinition,
  type ExtensionServer,
  type ExtensionServerOptions,
  startExtensionServer,
} from './extension-server.js';
