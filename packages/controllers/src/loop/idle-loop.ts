import { untilAborted } from '@binnacle/apimachinery/clock';
import type { ControlLoop } from './control-loop.js';

/** For a loop whose settings leave it nothing to do. */
export const idleLoop: ControlLoop = {
  run: untilAborted,
};
