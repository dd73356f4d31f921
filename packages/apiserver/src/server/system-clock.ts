import type { Retries } from '../admission/index.js';
import type { Clock } from '../filters/index.js';

/** The machine's own time. */
export const systemClock: Clock = {
  now: Date.now,
  setTimeout: (callback, milliseconds) => {
    const timer = setTimeout(callback, milliseconds);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

/** Attempts of admission plugins, by the machine's own time and chance. */
export const systemRetries: Retries = {
  pause: (milliseconds) => new Promise((resolve) => void systemClock.setTimeout(resolve, milliseconds)),
  random: Math.random,
};
