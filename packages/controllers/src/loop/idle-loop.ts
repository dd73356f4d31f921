import type { ControlLoop } from './control-loop.js';

/** For a loop whose settings leave it nothing to do. */
export const idleLoop: ControlLoop = {
  run: (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
};
