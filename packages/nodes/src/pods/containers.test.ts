import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { containerOf, containersOf } from './containers.js';

describe('the containers of a pod', () => {
  it('are found by their names', () => {
    const pod: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: {
        containers: [{ name: 'c', image: 'img:1' }],
        initContainers: [{ name: 'init', image: 'i' }],
        ephemeralContainers: [{ name: 'debug', image: 'd' }],
      },
    };
    assert.deepEqual(
      containersOf(pod).map(({ name }) => name),
      ['init', 'c', 'debug'],
    );
    assert.equal(containerOf(pod, 'c')?.image, 'img:1');
    assert.equal(containerOf(pod, 'init')?.image, 'i');
    assert.equal(containerOf(pod, 'debug')?.image, 'd');
    assert.equal(containerOf(pod, 'none'), undefined);
    assert.equal(containerOf({}, 'c'), undefined);
  });
});
