export { isTurnOver, nextTurn, ownTurn, pause, withoutTurns } from './turn.js';
