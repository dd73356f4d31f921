const TICK_MS = 5;

/**
 * Measures how long turns of this process's event loop take. A turn counts with the smaller of its wall time and the CPU time
 * that the process spent in it, so that a busy machine is no finding.
 */
export class SilenceMeter {
  /** The longest turn since the last {@link reset}, milliseconds. */
  longest = 0;
  #last = readClocks();

  /** @param {(milliseconds: number) => void} [observe] called after each turn */
  constructor(observe = () => undefined) {
    setInterval(() => {
      const now = readClocks();
      const held = Math.min(now.wall - this.#last.wall - TICK_MS, now.cpu - this.#last.cpu);
      this.#last = now;
      this.longest = Math.max(this.longest, held);
      observe(held);
    }, TICK_MS);
  }

  /** Starts a new measurement; the turn so far does not count. */
  reset() {
    this.#last = readClocks();
    this.longest = 0;
  }
}

function readClocks() {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now(), cpu: (user + system) / 1000 };
}
