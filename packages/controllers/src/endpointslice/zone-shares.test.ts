import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node } from '@binnacle/client/kinds/core/v1';
import { node } from './endpointslice.testing.js';
import { isOverloaded, zoneShares } from './zone-shares.js';

const unready: Node = { ...node('n', 'zone-c'), status: { conditions: [{ type: 'Ready', status: 'False' }] } };
const controlPlane: Node = {
  ...node('m'),
  metadata: { name: 'm', labels: { 'node-role.kubernetes.io/control-plane': '' } },
};

describe('zoneShares', () => {
  for (const [what, nodes, expected] of [
    [
      'two zones',
      [node('a', 'zone-a', '3'), node('b', 'zone-b', '500m'), node('c', 'zone-b', '500m')],
      [
        ['zone-a', 0.75],
        ['zone-b', 0.25],
      ],
    ],
    ['one zone', [node('a', 'zone-a'), node('b', 'zone-a')], undefined],
    ['no nodes', [], undefined],
    ['a node without a zone', [node('a', 'zone-a'), node('b', 'zone-b'), node('c')], undefined],
    ['a node without CPU', [node('a', 'zone-a'), node('b', 'zone-b', '0')], undefined],
    [
      'unready nodes and the control plane',
      [node('a', 'zone-a'), node('b', 'zone-b'), unready, controlPlane],
      [
        ['zone-a', 0.5],
        ['zone-b', 0.5],
      ],
    ],
  ] as const) {
    it(`are right for ${what}`, () => {
      const shares = zoneShares(nodes);
      assert.deepEqual(shares === undefined ? undefined : [...shares], expected);
    });
  }
});

describe('isOverloaded', () => {
  const shares = new Map([
    ['a', 0.5],
    ['b', 0.5],
  ]);
  for (const [what, allocated, given, expected] of [
    ['no hints', [], shares, false],
    ['hints, and nodes that do not tell their zones', [['a', 2]], undefined, true],
    [
      'enough endpoints in each zone',
      [
        ['a', 3],
        ['b', 3],
      ],
      shares,
      false,
    ],
    [
      'a bit too few',
      [
        ['a', 5],
        ['b', 7],
      ],
      shares,
      false,
    ],
    [
      'too few in a zone',
      [
        ['a', 4],
        ['b', 8],
      ],
      shares,
      true,
    ],
    ['none in a zone', [['a', 4]], shares, true],
  ] as const) {
    it(`is ${expected} for ${what}`, () => assert.equal(isOverloaded(new Map(allocated), given), expected));
  }
});
