import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { canDeal, deal } from './dealer.js';

describe('canDeal', () => {
  // The cases are those of upstream's `TestRequiredEntropyBits` and `TestNewDealer`, as far as they decide.
  const cases: readonly (readonly [deckSize: number, handSize: number, possible: boolean])[] = [
    [-100, 8, false],
    [100, 0, false],
    [100, 101, false],
    [128, 9, false],
    [128, 8, true],
    [1 << 27, 1, false],
    [1 << 26, 2, true],
    [512, 8, false],
    [512, 6, true],
    [8, 3, true],
    [1, 1, true],
  ];
  for (const [deckSize, handSize, possible] of cases) {
    it(`${handSize} of ${deckSize}: ${possible}`, () => assert.equal(canDeal(deckSize, handSize), possible));
  }
});

describe('deal', () => {
  const hash = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

  it('deals different cards of the deck, the same for the same hash', () => {
    fc.assert(
      fc.property(hash, fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 7 }), (value, deckSize, size) => {
        const handSize = Math.min(size, deckSize);
        const hand = deal(value, deckSize, handSize);
        assert.equal(new Set(hand).size, handSize);
        assert.ok(hand.every((card) => card >= 0 && card < deckSize));
        assert.deepEqual(deal(value, deckSize, handSize), hand);
      }),
    );
  });

  it('deals every hand of a small deck', () => {
    const hands = new Set(Array.from({ length: 6 * 5 * 4 }, (_, value) => deal(BigInt(value), 6, 3).join()));
    assert.equal(hands.size, 6 * 5 * 4);
  });
});
