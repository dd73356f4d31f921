import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container } from '../../generated/types/core-v1.js';
import { container, texts } from '../rules.testing.js';
import { validateContainerRestart } from './container-restart.js';

// Seen with kube-apiserver 1.36.

const codes = { operator: 'In', values: [1] };
const good = { action: 'Restart', exitCodes: codes };
const actions = 'supported values: "Restart", "RestartAllContainers"';
const operators = 'supported values: "In", "NotIn"';

const cases: readonly (readonly [rules: readonly object[], expected: readonly string[]])[] = [
  [[], []],
  [[good], []],
  [[{ ...good, action: 'RestartAllContainers' }], []],
  [[{ ...good, exitCodes: { operator: 'NotIn' } }], []],
  [[{}], [`[0].action: Unsupported value: "": ${actions}`, '[0].exitCodes: Required value: must be specified']],
  [[good, { ...good, action: 'x' }], [`[1].action: Unsupported value: "x": ${actions}`]],
  [[{ ...good, exitCodes: {} }], [`[0].exitCodes.operator: Unsupported value: "": ${operators}`]],
  [
    [{ ...good, exitCodes: { ...codes, operator: 'x' } }],
    [`[0].exitCodes.operator: Unsupported value: "x": ${operators}`],
  ],
  [
    [{ ...good, exitCodes: { ...codes, values: Array(256).fill(1) } }],
    ['[0].exitCodes.values: Too many: 256: must have at most 255 items'],
  ],
  [Array.from({ length: 21 }, () => good), [': Too many: 21: must have at most 20 items']],
];

for (const [rules, expected] of cases) {
  test(`restart rules ${JSON.stringify(rules).slice(0, 80)} are ${expected.length === 0 ? 'valid' : 'refused'}`, () => {
    const restartPolicyRules = rules as NonNullable<Container['restartPolicyRules']>;
    const found = texts(validateContainerRestart(container({ restartPolicy: 'Never', restartPolicyRules }), 'c'));
    assert.deepEqual(
      found,
      expected.map((text) => `c.restartPolicyRules${text}`),
    );
  });
}

test('restart rules need a restart policy', () => {
  assert.deepEqual(texts(validateContainerRestart(container({ restartPolicyRules: [good] }), 'c')), [
    'c.restartPolicy: Required value: must specify restartPolicy when restart rules are used',
  ]);
});
