export {
  type Caller,
  enter,
  isTurnOver,
  nextTurn,
  ownTurn,
  pause,
  Pauses,
  Rotation,
  stage,
  withoutTurns,
} from '@binnacle/apimachinery/turns';
export { inSlices, onceInSlices } from './in-slices.js';
export { inTurns } from './in-turns.js';
