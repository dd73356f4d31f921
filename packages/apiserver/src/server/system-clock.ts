import type { Clock } from '../filters/index.js';

/** The machine's own time. */
export const systemClock: Clock = {
  now: Date.now,
  setTimeout: (callback, milliseconds) => {
    const timer = setTimeout(callback, milliseconds);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
