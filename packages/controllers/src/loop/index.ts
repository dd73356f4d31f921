export type { ControlLoop, CreateLoop, LoopContext } from './control-loop.js';
export { idleLoop } from './idle-loop.js';
export type { LoopSettings } from './loop-settings.js';
