export { chooseLoops, ControllersError } from './choose-loops.js';
export { type LoopFacts, loops } from './loops.js';
