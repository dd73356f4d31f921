import type { Retries } from '../admission/index.js';
import type { Clock } from '../filters/index.js';

/** The time of the machine. */
export const systemClock: Clock = {
  now: Date.now,
  setTimeout: (callback, milliseconds) => {
    const timer = setTimeout(callback, milliseconds);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

/** Delays and randomness of admission retries. */
export const systemRetries: Retries = {
  pause: (milliseconds) => new Promise((resolve) => void systemClock.setTimeout(resolve, milliseconds)),
  random: Math.random,
};
