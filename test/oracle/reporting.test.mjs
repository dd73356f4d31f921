import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lowered, raised, readThresholds } from '../../scripts/thresholds.mjs';
import { renderCompatibilityPage } from './compatibility-page.mjs';
import { explain, withoutIdle } from './known-differences.mjs';
import { thresholdsFile, loadRecording, loadScenario, scenarioNames } from './scenarios.mjs';

const verdict = (step, exact, status = true) => ({ step, request: {}, exact, status, differences: [] });
const run = { crud: [verdict('get', true), verdict('put', false), verdict('list (all)', false, false)] };

describe('known differences', () => {
  it('a full name has precedence over a pattern, and a pattern matches its text literally', () => {
    const known = [
      { reason: 'any', steps: { crud: ['list (*'] } },
      { reason: 'full', steps: { crud: ['put', 'list (all)'] } },
    ];
    const { explained, unexplained, idle } = explain(run, known);
    assert.deepEqual(
      explained.map(({ reason, differences }) => [reason, differences.map(({ verdict: { step } }) => step)]),
      [['full', ['put', 'list (all)']]],
    );
    assert.deepEqual(unexplained, []);
    assert.deepEqual(idle, [{ reason: 'any', scenario: 'crud', name: 'list (*' }]);
    assert.deepEqual(withoutIdle(known, idle), known.slice(1));
  });

  it('a step without a reason is reported, and so is a reason of an exact step', () => {
    const { unexplained, idle } = explain(run, [{ reason: 'r', steps: { crud: ['p*', 'get'], patch: ['*'] } }]);
    assert.deepEqual(
      unexplained.map(({ verdict: { step } }) => step),
      ['list (all)'],
    );
    assert.deepEqual(
      idle.map(({ scenario, name }) => `${scenario} ${name}`),
      ['crud get', 'patch *'],
    );
  });

  it('are listed on the page, with wrong statuses marked', () => {
    const page = renderCompatibilityPage(run, explain(run, [{ reason: 'Not yet', steps: { crud: ['*'] } }]));
    assert.match(page, /\| crud \| .* \| 1 \| 2 \| 3 \|/);
    assert.match(page, /### Not yet\n\n- crud \(2\): put; \*list \(all\)\*\n$/);
  });
});

describe('thresholds', () => {
  const thresholds = { crud: { exact: 2, status: 3 }, patch: { exact: 1, status: 1 } };

  it('only rise', () => {
    assert.deepEqual(raised(thresholds, { crud: { exact: 3, status: 1 }, apply: { exact: 1, status: 2 } }), {
      apply: { exact: 1, status: 2 },
      crud: { exact: 3, status: 3 },
      patch: { exact: 1, status: 1 },
    });
  });

  it('are reported when they are lower or gone', () => {
    assert.deepEqual(lowered(thresholds, thresholds), []);
    assert.deepEqual(lowered(thresholds, { crud: { exact: 1, status: 4 } }), [
      'crud: exact 1 is below 2',
      'patch: exact 0 is below 1',
      'patch: status 0 is below 1',
    ]);
  });

  it('exist for every scenario, and no other', () =>
    assert.deepEqual(Object.keys(readThresholds(thresholdsFile)), scenarioNames()));
});

describe('scenarios', () => {
  for (const scenario of scenarioNames()) {
    it(`${scenario}: the recording has these steps`, async () => {
      const { steps } = await loadScenario(scenario);
      assert.deepEqual(
        loadRecording(scenario).map(({ request }) => titleOf(request)),
        steps
          .filter(({ wait, act }) => !wait && !act)
          .map(({ m = 'GET', p, ...step }) => titleOf({ method: m, path: p, ...step })),
      );
    });
  }
});

const titleOf = ({ method, path, received, lines }) => received ?? lines ?? `${method} ${path}`;
