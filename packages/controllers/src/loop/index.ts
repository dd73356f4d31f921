export type { ControlLoop, CreateLoop, LoopContext } from './control-loop.js';
