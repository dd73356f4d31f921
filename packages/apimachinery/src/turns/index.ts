export { SerialQueue } from './serial-queue.js';
export { entry, isTurnOver, nextTurn, ownTurn, pause, Pauses, stage, withoutTurns } from './turn.js';
