export { ApiExtensions, type ApiExtensionsOptions } from './api-extensions.js';
