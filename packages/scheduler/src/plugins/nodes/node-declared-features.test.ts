import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answersOf, nodeObject, podFacts } from '../../testing/index.js';
import { NodeState } from '../../framework/index.js';
import { nodeDeclaredFeatures } from '../index.js';

const declaring = (...declaredFeatures: readonly string[]) => {
  const node = nodeObject('n');
  return new NodeState({ ...node, status: { ...node.status, declaredFeatures } });
};
const restartsAll = {
  containers: [
    {
      name: 'main',
      restartPolicyRules: [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [1] } }],
    },
  ],
} as const;
const LACKS = "UnschedulableAndUnresolvable: node(s) didn't match Pod's required features";

describe('NodeDeclaredFeatures', () => {
  for (const [what, spec, features, answer] of [
    ['no need', {}, [], 'fits'],
    ['a restart of all containers', restartsAll, [], LACKS],
    ['a restart of all containers', restartsAll, ['Other', 'RestartAllContainersOnContainerExits'], 'fits'],
    ['host network in a user namespace', { hostNetwork: true, hostUsers: false }, [], LACKS],
    [
      'host network in a user namespace',
      { hostNetwork: true, hostUsers: false },
      ['UserNamespacesHostNetworkSupport'],
      'fits',
    ],
    ['host network', { hostNetwork: true }, [], 'fits'],
  ] as const) {
    it(`${what} with ${features.length} features: ${answer}`, () =>
      assert.deepEqual(answersOf(nodeDeclaredFeatures, podFacts('p', { spec }), [declaring(...features)]), {
        n: answer,
      }));
  }
});
