import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, ContainerPort } from '@binnacle/client/kinds/core/v1';
import { answersOf, nodeState, podFacts } from '../../testing/index.js';
import { nodePorts } from '../index.js';

const REJECTED = "Unschedulable: node(s) didn't have free ports for the requested pod ports";

function podWith(name: string, port: Partial<ContainerPort>, traits: Partial<Container> = {}) {
  const container = { name: 'c', ports: [{ containerPort: 80, ...port }], ...traits };
  const isInit = traits.restartPolicy !== undefined;
  return podFacts(name, {
    spec: isInit ? { containers: [], initContainers: [container] } : { containers: [container] },
  });
}

describe('NodePorts', () => {
  for (const [what, taken, wanted, answer] of [
    ['the same port', podWith('a', { hostPort: 80 }), podWith('p', { hostPort: 80 }), REJECTED],
    ['another port', podWith('a', { hostPort: 80 }), podWith('p', { hostPort: 81 }), 'fits'],
    ['another protocol', podWith('a', { hostPort: 80 }), podWith('p', { hostPort: 80, protocol: 'UDP' }), 'fits'],
    ['no host port', podWith('a', { hostPort: 80 }), podWith('p', {}), 'fits'],
    [
      'another address',
      podWith('a', { hostPort: 80, hostIP: '10.0.0.1' }),
      podWith('p', { hostPort: 80, hostIP: '10.0.0.2' }),
      'fits',
    ],
    ['any address', podWith('a', { hostPort: 80, hostIP: '10.0.0.1' }), podWith('p', { hostPort: 80 }), REJECTED],
    [
      'a sidecar',
      podWith('a', { hostPort: 80 }),
      podWith('p', { hostPort: 80 }, { restartPolicy: 'Always' }),
      REJECTED,
    ],
  ] as const) {
    it(`compares ${what}`, () => {
      assert.deepEqual(answersOf(nodePorts, wanted, [nodeState('n', { pods: [taken] })]), { n: answer });
    });
  }
});
