import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answersOf, nodeState, podFacts } from '../../testing/index.js';
import { nodeName } from '../index.js';

describe('NodeName', () => {
  for (const [what, wanted, expected] of [
    ['any node', '', { n1: 'fits', n2: 'fits' }],
    [
      'its node',
      'n1',
      { n1: 'fits', n2: "UnschedulableAndUnresolvable: node(s) didn't match the requested node name" },
    ],
  ] as const) {
    it(`permits ${what}`, () => {
      const pod = podFacts('p', { spec: { nodeName: wanted } });
      assert.deepEqual(answersOf(nodeName, pod, [nodeState('n1'), nodeState('n2')]), expected);
    });
  }
});
