export { inSlices, onceInSlices, pause } from './in-slices.js';
export { inTurns } from './in-turns.js';
export { isTurnOver, nextTurn, ownTurn, withoutTurns } from './turn.js';
