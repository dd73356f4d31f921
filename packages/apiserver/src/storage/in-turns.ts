import { setImmediate as nextTurn } from 'node:timers/promises';

/** So long at once... */
const TURN_MS = 10;
/** ...which is looked at only after so many. */
const ITEMS_BETWEEN_LOOKS = 32;

/** Visits items that may cost much, and lets others run in between. Throws what `visit` throws. */
export async function inTurns<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void> {
  let begun = performance.now();
  let seen = 0;
  for (const item of items) {
    visit(item);
    if (++seen % ITEMS_BETWEEN_LOOKS !== 0 || performance.now() - begun < TURN_MS) continue;
    await nextTurn();
    begun = performance.now();
  }
}
