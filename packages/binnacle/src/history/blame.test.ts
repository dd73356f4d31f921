import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { leavesOf } from '@binnacle/apimachinery/differences';
import { deepEqual } from '@binnacle/apimachinery/json';
import { blame, type Version } from './blame.js';
import { object } from './objects.testing.js';

describe('blame', () => {
  it('names the newest version whose predecessor had another value, for random histories', async () => {
    const histories = fc.array(object, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(histories, fc.nat(3), async (states, forgotten) => {
        const versions: Version<number>[] = states.map((state, index) => ({
          event: index,
          object: state,
          previous: states[index - 1],
        }));
        const kept = versions.slice(Math.min(forgotten, states.length - 1)).reverse();
        const fields = await blame(kept);
        const newest = leavesOf(states.at(-1));
        assert.deepEqual(new Set(fields.map(({ text }) => text)), new Set(newest.keys()));
        for (const { text, event } of fields) {
          const holds = (index: number) =>
            deepEqual(leavesOf(states[index]).get(text)?.value ?? null, newest.get(text)?.value ?? null);
          let setter = states.length - 1;
          while (setter > 0 && holds(setter - 1)) setter -= 1;
          assert.equal(event, setter < (kept.at(-1)?.event ?? 0) ? undefined : setter, text);
        }
      }),
    );
  });
});
