export { finishInTurns } from './finish-in-turns.js';
export { Pauses } from './pauses.js';
export { SerialQueue } from './serial-queue.js';
export { type Caller, Rotation } from './rotation.js';
export { enter, isTurnOver, nextTurn, ownTurn, pause, stage, withoutTurns } from './turn.js';
