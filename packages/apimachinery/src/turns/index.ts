export { isTurnOver, nextTurn, ownTurn, pause, Pauses, stage, withoutTurns } from './turn.js';
