export { createNamespaceLoop } from './namespace-loop.js';
