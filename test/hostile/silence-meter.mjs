import { readFileSync } from 'node:fs';

const TICK_MS = 5;
/** Linux counts thread time in hundredths of a second. */
const CLOCK_TICK_MS = 10;
const MAIN_THREAD = `/proc/self/task/${process.pid}/stat`;

/**
 * Measures how long turns of this process's event loop take. A turn counts with the smaller of its wall time and its
 * thread's CPU time, so that a busy machine or other threads are not a finding.
 */
export class SilenceMeter {
  /** The longest turn since the last {@link reset}, in milliseconds. */
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

  /** Starts a new measurement; it ignores the turn so far. */
  reset() {
    this.#last = readClocks();
    this.longest = 0;
  }
}

function readClocks() {
  return { wall: performance.now(), cpu: process.platform === 'linux' ? threadTime() : processTime() };
}

/** The program's name, in parentheses, may contain spaces; the 14th and 15th fields are the times. */
function threadTime() {
  const stat = readFileSync(MAIN_THREAD, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS;
}

function processTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
