import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readScenario, ScenarioError, timeline } from './index.js';

describe('a scenario', () => {
  for (const [given, message] of [
    ['text', 'the scenario: must be an object'],
    [{ runFor: 'soon' }, 'runFor: must be a duration of 0 or more, such as 90s or 1h30m'],
    [{ runFor: '-1s' }, 'runFor: must be a duration of 0 or more, such as 90s or 1h30m'],
    [{ nodes: 3 }, 'runFor: is missing'],
    [{ runFor: '1m', nodes: 1.5 }, 'nodes: must be a whole number, 0 or more'],
    [{ runFor: '1m', nodes: 5001 }, 'nodes: must be at most 5000'],
    [{ runFor: '1m', start: 'noon' }, 'start: must be a time, such as 2027-01-04T00:00:00Z'],
    [{ runFor: '1m', settles: 1 }, 'settles: must be true or false'],
    [{ runFor: '1m', faults: { conflicts: 2 } }, 'faults.conflicts: must be a share from 0 to 1'],
    [{ runFor: '1m', actions: {} }, 'actions: must be a list'],
    [{ runFor: '1m', actions: [{ at: '1s', drain: {} }] }, 'actions[0].drain: needs either nodes or any'],
    [
      { runFor: '1m', actions: [{ at: '1s', drain: { any: 1, nodes: ['a'] } }] },
      'actions[0].drain: needs either nodes or any',
    ],
    [{ runFor: '1m', actions: [{ at: '1s', cutOff: { any: 1 } }] }, 'actions[0].cutOff.for: is missing'],
    [{ runFor: '1m', actions: [{ at: '1s', every: '0s', faults: {} }] }, 'actions[0].every: must be a longer time'],
    [
      { runFor: '1m', actions: [{ at: '1s', apply: [{ kind: 'Pod' }] }] },
      'actions[0].apply[0]: must be an object with apiVersion, kind and metadata.name',
    ],
    [
      { runFor: '1m', actions: [{ at: '1s', inject: { action: { type: 'explode' } } }] },
      'actions[0].inject: action.type: must be answer, delay, drop, cutWatch or holdCache',
    ],
  ] as const) {
    it(`is refused: ${message}`, () => {
      assert.throws(() => readScenario(given), new ScenarioError(message));
    });
  }

  it('names what there is instead of an unknown field', () => {
    assert.throws(
      () => readScenario({ runFor: '1m', speed: 2 }),
      /^ScenarioError: speed: unknown; there are runFor, nodes, /,
    );
    const actions = [{ at: '1s' }];
    assert.throws(
      () => readScenario({ runFor: '1m', actions }),
      /^ScenarioError: actions\[0\]: needs exactly one of apply, delete, /,
    );
  });

  it('has a timeline in order, with repetitions up to their end', () => {
    const { runFor, actions } = readScenario({
      runFor: '1m',
      actions: [
        { at: '50s', every: '1m', faults: {} },
        { at: '10s', every: '15s', until: '40s', uncordon: { any: 1 } },
        { at: '2m', faults: {} },
      ],
    });
    assert.deepEqual(
      timeline({ runFor, ...(actions === undefined ? {} : { actions }) }).map(({ at }) => at),
      [10_000, 25_000, 40_000, 50_000],
    );
  });
});
