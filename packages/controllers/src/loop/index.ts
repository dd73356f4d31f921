export type { ControlLoop, CreateLoop, LoopContext } from './control-loop.js';
export { namespaces } from './kinds.js';
export { isNamespaceEnding } from './namespace-ending.js';
