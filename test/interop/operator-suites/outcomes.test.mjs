import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcomesOf } from './outcomes.mjs';

const spec = (State, LeafNodeText, LeafNodeType = 'It') => ({
  ContainerHierarchyTexts: ['Job'],
  LeafNodeType,
  LeafNodeText,
  State,
});

describe('outcomesOf', () => {
  it('takes tests and their parts, and leaves out skipped ones', () => {
    const text =
      '=== RUN   TestA\n=== RUN   TestA/one\n    --- FAIL: TestA/one (0.00s)\n--- FAIL: TestA (0.01s)\n--- SKIP: TestB (0.00s)\n';
    assert.deepEqual(
      [...outcomesOf(text)],
      [
        ['TestA/one', 'failed'],
        ['TestA', 'failed'],
      ],
    );
  });

  it('takes specs instead of the test that runs them', () => {
    const text =
      '=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestAPIs\nRunning Suite: Jobs - /src\n--- FAIL: TestAPIs (1.00s)\n';
    const report = [
      {
        SuiteDescription: 'Jobs',
        SpecReports: [spec('passed', 'runs'), spec('timedout', 'ends'), spec('skipped', 'x')],
      },
    ];
    assert.deepEqual(
      [...outcomesOf(text, report)],
      [
        ['TestA', 'passed'],
        ['Jobs Job runs', 'passed'],
        ['Jobs Job ends', 'failed'],
      ],
    );
  });

  it('counts a failed step before all specs', () => {
    const report = [
      { SuiteDescription: 'Jobs', SpecReports: [{ LeafNodeType: 'BeforeSuite', LeafNodeText: '', State: 'failed' }] },
    ];
    assert.deepEqual([...outcomesOf('', report)], [['Jobs BeforeSuite', 'failed']]);
  });
});
