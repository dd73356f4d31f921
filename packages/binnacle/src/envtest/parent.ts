import { type Clock, repeat } from '@binnacle/apimachinery/clock';

const PERIOD_MS = 500;

/** Calls `ended` once when the process that started this one has ended. `parent` returns the ID of the current parent. */
export function watchParent(clock: Clock, parent: () => number, ended: () => void): void {
  const first = parent();
  const watch = repeat(clock, PERIOD_MS, () => {
    if (parent() === first) return;
    watch[Symbol.dispose]();
    ended();
  });
}
