import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { suggestedLevels } from './bootstrap-objects.js';
import { levelSettings } from './level-settings.js';
import { PriorityLevel } from './priority-level.js';

function suggestedLevel(): PriorityLevel {
  const [settings] = suggestedLevels.flatMap((level) => levelSettings(level) ?? []);
  assert.ok(settings);
  const limits = { nominal: 74, minimum: 50, maximum: 674 };
  const observers = { flow: () => assert.fail('there is no flow'), level: () => ({ changed: () => undefined }) };
  return new PriorityLevel(new VirtualClock(), settings, limits, observers);
}

describe('PriorityLevel', () => {
  it('deals a hand by the flow schema and the distinguisher, and keeps it', () => {
    const level = suggestedLevel();
    const hand = level.handOf('s', 'jane');
    assert.equal(hand.length, 6);
    assert.equal(level.handOf('s', 'jane'), hand);
    assert.notDeepEqual(level.handOf('t', 'jane'), hand);
    assert.notDeepEqual(level.handOf('s', 'joe'), hand);
  });

  it('keeps no hand of a name that clients have made long', () => {
    const level = suggestedLevel();
    const name = 'n'.repeat(700_000);
    const hand = level.handOf('s', name);
    assert.deepEqual(level.handOf('s', name), hand);
    assert.notEqual(level.handOf('s', name), hand);
  });
});
