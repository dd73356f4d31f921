import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { danglingStatus } from './dangling.js';
import { schema } from './flow-control.testing.js';

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
