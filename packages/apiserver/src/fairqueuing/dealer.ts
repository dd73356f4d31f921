/** A hand is dealt from this many bits of a hash, so that all cards are nearly equally likely. */
const HASH_BITS = 60;
const MAXIMUM_DECK = 2 ** 26;

/** Whether a hash has enough bits to deal such hands. */
export function canDeal(deckSize: number, handSize: number): boolean {
  if (handSize < 1 || handSize > deckSize || deckSize > MAXIMUM_DECK) return false;
  return Math.ceil(Math.log2(deckSize) * handSize) <= HASH_BITS;
}

/**
 * Deals a hand of different cards in [0, deckSize), which depends on the hash alone. Upstream: `shufflesharding.Dealer`.
 *
 * @param hash 64 bits
 */
export function deal(hash: bigint, deckSize: number, handSize: number): readonly number[] {
  const hand: number[] = [];
  const places: number[] = [];
  let rest = hash;
  for (let index = 0; index < handSize; index++) {
    const left = BigInt(deckSize - index);
    const place = Number(rest % left);
    rest /= left;
    // A place counts only the cards that are left.
    let card = place;
    for (let earlier = index - 1; earlier >= 0; earlier--) if (card >= (places[earlier] ?? 0)) card++;
    places.push(place);
    hand.push(card);
  }
  return hand;
}
