export { SerialQueue } from './serial-queue.js';
export { isTurnOver, nextTurn, ownTurn, pause, Pauses, stage, withoutTurns } from './turn.js';
