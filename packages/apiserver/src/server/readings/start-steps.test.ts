import assert from 'node:assert/strict';
import { it } from 'node:test';
import { StartSteps } from './start-steps.js';

const signal = new AbortController().signal;

it('the checks of a step fail until it is over', () => {
  const steps = new StartSteps(['flow-control', 'repair']);
  const checks = steps.checks();
  assert.deepEqual(
    checks.map(({ name }) => name),
    ['poststarthook/priority-and-fairness-config-consumer', 'poststarthook/start-service-ip-repair-controllers'],
  );
  const failing = (): string[] =>
    checks.flatMap(({ name, check }) => {
      try {
        void check(signal);
        return [];
      } catch {
        return [name];
      }
    });
  assert.equal(failing().length, 2);
  steps.done('repair');
  assert.deepEqual(failing(), ['poststarthook/priority-and-fairness-config-consumer']);
  assert.throws(() => steps.check('flow-control'), /not finished/);
  steps.done('flow-control');
  assert.deepEqual(failing(), []);
  steps.check('flow-control');
  assert.equal(steps.check('definitions'), undefined, 'this server does not take the step');
});
