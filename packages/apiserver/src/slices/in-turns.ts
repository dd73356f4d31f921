import { isTurnOver, nextTurn } from './turn.js';

/** A look at the clock costs as much as a cheap item. */
const ITEMS_BETWEEN_LOOKS = 4;

/** Visits items that may cost much, and lets others run in between. Throws what `visit` throws. */
export async function inTurns<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void> {
  let seen = 0;
  for (const item of items) {
    if (seen++ % ITEMS_BETWEEN_LOOKS === 0 && isTurnOver()) await nextTurn();
    visit(item);
  }
}
