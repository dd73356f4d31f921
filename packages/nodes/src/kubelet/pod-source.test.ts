import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { containerOf, podsOfNodes } from './pod-source.js';
import { podOn } from './simulated-pods.testing.js';

describe('the pods of nodes', () => {
  const all = [podOn('node-0', 'web'), podOn('node-1', 'db')];
  const pods = podsOfNodes(
    {
      find: (namespace, name) => all.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
      ofNode: (node) => all.filter(({ spec }) => spec?.nodeName === node),
    },
    ['node-0'],
  );

  it('are found by their names', () => {
    assert.equal(pods.find('n', 'web'), all[0]);
    assert.equal(pods.find('m', 'web'), undefined);
  });

  it('are none of other nodes', () => {
    assert.equal(pods.find('n', 'db'), undefined);
    assert.deepEqual(pods.ofNode('node-0'), [all[0]]);
    assert.deepEqual(pods.ofNode('node-1'), []);
  });
});

it('a container of any sort is found by its name', () => {
  const pod: Pod = podOn('node-0', 'web', {
    initContainers: [{ name: 'init', image: 'i' }],
    ephemeralContainers: [{ name: 'debug', image: 'd' }],
  });
  assert.equal(containerOf(pod, 'c')?.image, 'img:1');
  assert.equal(containerOf(pod, 'init')?.image, 'i');
  assert.equal(containerOf(pod, 'debug')?.image, 'd');
  assert.equal(containerOf(pod, 'none'), undefined);
  assert.equal(containerOf({ apiVersion: 'v1', kind: 'Pod', metadata: {} }, 'c'), undefined);
});
