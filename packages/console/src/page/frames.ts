import { later, monotonic } from './browser.js';

/** Ten times a second is as fast as a person reads. */
const LEAST_INTERVAL_MS = 100;
/** Renders take at most this share of the time. */
const MOST_SHARE = 0.25;

/**
 * Calls `render` in a browser frame soon after `request`, at most once per interval for any number of requests. The
 * interval grows with the time that a render takes.
 */
export class Frames {
  readonly #render: () => void;
  #interval = LEAST_INTERVAL_MS;
  #last = Number.NEGATIVE_INFINITY;
  #isWaiting = false;

  constructor(render: () => void) {
    this.#render = render;
  }

  request(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const wait = Math.max(0, this.#last + this.#interval - monotonic());
    later(wait, () => requestAnimationFrame(() => this.#run()));
  }

  #run(): void {
    this.#isWaiting = false;
    const start = monotonic();
    this.#render();
    // The browser lays out and paints after this function; the next task comes after that.
    later(0, () => {
      this.#last = monotonic();
      this.#interval = Math.max(LEAST_INTERVAL_MS, (this.#last - start) / MOST_SHARE);
    });
  }
}
