export { chooseLoops, ControllersError } from './choose-loops.js';
export { type LoopFacts, loops } from './loops.js';
export { type Identity, type ManagerOptions, runLoops } from './run-loops.js';
