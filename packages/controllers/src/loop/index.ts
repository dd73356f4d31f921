export { checkSettings } from './check-settings.js';
export type { ControlLoop, CreateLoop, LoopContext } from './control-loop.js';
export { idleLoop } from './idle-loop.js';
export type { LoopSettings } from './loop-settings.js';
export { nodeBlocksOf, type NodeBlocks } from './node-blocks.js';
export { SettingsError } from './settings-error.js';
