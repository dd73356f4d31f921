import { isTurnOver, Pauses } from '@binnacle/apimachinery/turns';

/** Reading the clock costs as much as a cheap item. */
const ITEMS_BETWEEN_LOOKS = 4;

/** Visits items that may be expensive, and yields to other work in between. Throws the error of `visit`. */
export async function inTurns<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void> {
  const pauses = new Pauses();
  let seen = 0;
  for (const item of items) {
    if (seen++ % ITEMS_BETWEEN_LOOKS === 0 && isTurnOver()) await pauses.next();
    visit(item);
  }
}
