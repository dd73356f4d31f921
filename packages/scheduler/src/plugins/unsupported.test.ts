import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodSpec } from '@binnacle/client/kinds/core/v1';
import { answersOf, nodeState, podFacts } from '../testing/index.js';
import { dynamicResources } from './index.js';

const REFUSED = 'UnschedulableAndUnresolvable: this scheduler does not';

describe('needs that no plugin knows', () => {
  for (const [plugin, spec, answer] of [
    [dynamicResources, {}, 'fits'],
    [dynamicResources, { resourceClaims: [{ name: 'gpu' }] }, `${REFUSED} allocate the devices of resource claims`],
  ] as const satisfies readonly (readonly [unknown, Partial<PodSpec>, string])[]) {
    it(`${plugin.name} answers ${answer}`, () => {
      assert.deepEqual(answersOf(plugin, podFacts('p', { spec }), [nodeState('n')]), { n: answer });
    });
  }
});
