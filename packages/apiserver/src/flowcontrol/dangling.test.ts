import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { danglingStatus } from './dangling.js';
import { schema } from './flow-control.testing.js';
import { UpdateLimit } from './update-limit.js';

const NOW = '2026-01-02T03:04:05Z';

describe('danglingStatus', () => {
  const found = {
    type: 'Dangling',
    status: 'False',
    reason: 'Found',
    message: 'This FlowSchema references the PriorityLevelConfiguration object named "l" and it exists',
    lastTransitionTime: NOW,
  };
  const conditions = (...args: Parameters<typeof danglingStatus>) => danglingStatus(...args)?.['status'];

  it('says whether the level exists', () => {
    assert.deepEqual(conditions(schema('s', 'l', 1), new Set(['l']), NOW), { conditions: [found] });
    assert.deepEqual(conditions(schema('s', 'l', 1), new Set(['k']), NOW), {
      conditions: [
        {
          ...found,
          status: 'True',
          reason: 'NotFound',
          message:
            'This FlowSchema references the PriorityLevelConfiguration object named "l" but there is no such object',
        },
      ],
    });
  });

  it('is undefined while the condition is right', () => {
    const described = { ...schema('s', 'l', 1), status: { conditions: [{ type: 'Mine' }, found] } };
    assert.equal(danglingStatus(described, new Set(['l']), 'later'), undefined);
    assert.notEqual(danglingStatus(described, new Set(), 'later'), undefined);
  });
});

describe('UpdateLimit', () => {
  it('admits six updates of an object within a minute', () => {
    const limit = new UpdateLimit();
    const times = [0, 1, 2, 3, 4, 5, 6, 60_000, 60_001, 60_001, 60_001];
    assert.deepEqual(
      times.map((time) => limit.admits('a', time)),
      [true, true, true, true, true, true, false, true, true, false, false],
    );
    assert.equal(limit.admits('b', 60_001), true);
    limit.retain(new Set(['b']));
    assert.equal(limit.admits('a', 60_001), true);
  });
});
