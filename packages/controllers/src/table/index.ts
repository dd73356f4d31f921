export { checkSettings, SettingsError } from '../loop/index.js';
export { chooseLoops, ControllersError } from './choose-loops.js';
export { housekeeping, type LoopFacts, loops } from './loops.js';
