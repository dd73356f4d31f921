import type { Random } from '@binnacle/apimachinery/clock';

/** At most this many of the items, each at most once, in the order in which they are drawn. */
export function draw<T>(items: readonly T[], atMost: number, random: Random): T[] {
  const left = [...items];
  const drawn: T[] = [];
  while (drawn.length < atMost && left.length > 0)
    drawn.push(...left.splice(Math.floor(random.number() * left.length), 1));
  return drawn;
}
