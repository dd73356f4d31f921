import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CutOffNodes } from './cut-off-nodes.js';

describe('CutOffNodes', () => {
  for (const [name, cuts, at, isCutOff] of [
    ['a node that was never cut off', [], 0, false],
    ['before the time is over', [[0, 100]], 99, true],
    ['when the time is over', [[0, 100]], 100, false],
    [
      'a second cut lasts longer',
      [
        [0, 100],
        [50, 100],
      ],
      149,
      true,
    ],
    [
      'a second cut does not shorten the first one',
      [
        [0, 100],
        [50, 10],
      ],
      99,
      true,
    ],
  ] as const) {
    it(`${name}: ${isCutOff ? 'cut off' : 'reachable'}`, () => {
      let now = 0;
      const nodes = new CutOffNodes({ monotonic: () => now });
      for (const [since, milliseconds] of cuts) {
        now = since;
        nodes.add(['node-1'], milliseconds);
      }
      now = at;
      assert.equal(nodes.has('node-1'), isCutOff);
      assert.equal(nodes.has('node-2'), false);
    });
  }
});
