import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, PodSpec } from '@binnacle/client/kinds/core/v1';
import { restartBackoff, restarts } from './restart-policy.js';

const rule = (operator: string, values?: number[]) => ({
  restartPolicyRules: [{ action: 'Restart', exitCodes: { operator, ...(values === undefined ? {} : { values }) } }],
});

describe('a container that has ended', () => {
  const cases: readonly (readonly [PodSpec['restartPolicy'], Partial<Container>, number, boolean])[] = [
    [undefined, {}, 0, true],
    ['Always', {}, 0, true],
    ['OnFailure', {}, 0, false],
    ['OnFailure', {}, 1, true],
    ['Never', {}, 1, false],
    ['Never', { restartPolicy: 'Always' }, 0, true],
    ['Always', { restartPolicy: 'Never' }, 1, false],
    ['Always', { restartPolicy: 'OnFailure' }, 0, false],
    ['Always', { restartPolicy: 'Never', ...rule('In', [3, 4]) }, 4, true],
    ['Always', { restartPolicy: 'Never', ...rule('In', [3, 4]) }, 5, false],
    ['Always', { restartPolicy: 'Never', ...rule('In') }, 5, false],
    ['Always', { restartPolicy: 'Never', ...rule('NotIn', [3, 4]) }, 5, true],
    ['Always', { restartPolicy: 'Never', ...rule('NotIn', [3, 4]) }, 3, false],
    ['Always', { restartPolicy: 'Never', ...rule('Other', [3]) }, 3, false],
    ['Always', { restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart' }] }, 3, false],
    // The rules need a policy of the container.
    ['Never', rule('In', [3]), 3, false],
  ];
  for (const [restartPolicy, container, exitCode, expected] of cases) {
    const title = JSON.stringify({ restartPolicy, ...container, exitCode });
    it(`${expected ? 'restarts' : 'stays'}: ${title}`, () => {
      const spec: PodSpec = { containers: [], ...(restartPolicy === undefined ? {} : { restartPolicy }) };
      assert.equal(restarts({ name: 'c', ...container }, spec, exitCode), expected);
    });
  }

  it('waits longer each time, at most 5 minutes', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 5, 6, 100].map((count) => restartBackoff(count, 0) / 1000),
      [0, 10, 20, 40, 160, 300, 300],
    );
    assert.deepEqual([restartBackoff(6, 600_000), restartBackoff(6, 600_001)], [300_000, 0]);
  });
});
