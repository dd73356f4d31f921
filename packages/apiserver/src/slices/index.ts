export { isTurnOver, nextTurn, ownTurn, pause, withoutTurns } from '@binnacle/apimachinery/turns';
export { inSlices, onceInSlices } from './in-slices.js';
export { inTurns } from './in-turns.js';
