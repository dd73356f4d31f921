export type { Caller } from '@binnacle/apimachinery/turns';
export { enter, isTurnOver, nextTurn, ownTurn, pause, Pauses, stage, withoutTurns } from '@binnacle/apimachinery/turns';
export { inSlices, onceInSlices } from './in-slices.js';
export { inTurns } from './in-turns.js';
