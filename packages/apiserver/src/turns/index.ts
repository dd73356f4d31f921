export { inTurns } from './in-turns.js';
export { isTurnOver, nextTurn } from './turn.js';
