import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { finish, Pace } from '../../work/index.js';
import { mergeOrder } from './merge-order.js';

const letters = (text: string): string[] => text.split('');

/** Lower case: from the live list; upper case: from the configuration. */
function merged(live: string, configured: string): string {
  return finish(mergeOrder(letters(live), letters(configured), new Pace(1000)))
    .map((step) => (step.from === 'live' ? (live[step.index] ?? '') : step.element.toUpperCase()))
    .join('');
}

describe('mergeOrder', () => {
  const cases = [
    ['', 'ab', 'AB'],
    ['ab', '', 'ab'],
    ['abc', 'b', 'aBc'],
    ['abc', 'd', 'abcD'],
    ['abc', 'ca', 'bCA'],
    ['abcd', 'db', 'acDB'],
    ['abc', 'xb', 'aXBc'],
    ['abc', 'bx', 'aBcX'],
    ['aab', 'a', 'Ab'],
    ['bab', 'b', 'Ba'],
  ] as const;
  for (const [live, configured, expected] of cases) {
    it(`merges ${live} and ${configured}`, () => assert.equal(merged(live, configured), expected));
  }

  it('merges long lists in steps', () => {
    const items = Array.from({ length: 10_000 }, (_, index) => `v:${index}`);
    const steps = mergeOrder(items, items, new Pace(1000));
    let count = 1;
    while (steps.next().done !== true) count++;
    assert.ok(count >= 30, `${count} steps`);
  });

  it('contains every item once, with configured items in order', () => {
    const lists = fc.uniqueArray(fc.constantFrom(...letters('abcdefgh'))).map((each) => each.join(''));
    fc.assert(
      fc.property(lists, lists, (live, configured) => {
        const order = merged(live, configured);
        assert.deepEqual(letters(order.toLowerCase()).sort(), [...new Set(letters(live + configured))].sort());
        assert.equal(order.replaceAll(/[a-z]/g, ''), configured.toUpperCase());
        const others = letters(live)
          .filter((each) => !configured.includes(each))
          .join('');
        assert.equal(order.replaceAll(/[A-Z]/g, ''), others);
      }),
    );
  });
});
